import { ENDING, greeting } from './greeting.js';
import { Clock } from './kernel/clock.js';
import type { ProcessRoles } from './platform/config/process-roles.js';
import { limitHeapGrowth } from './platform/memory/heap-growth.js';
import type { RunningService } from './serve.js';

/** The flags of the process. Without a role, or with both, it has both roles. */
export interface RoleFlags {
  api?: boolean;
  worker?: boolean;
  paused?: boolean;
  port?: number;
  host?: string;
}

const EX_CONFIG = 78;
/** The process exits after this time even if requests or jobs are still running: at most 25 s in total. */
const EXIT_TIMEOUT_MS = 23_500;
/** Signals within this time count as one: npm forwards a signal that a terminal has sent to both. */
const SAME_SIGNAL_MS = 1_000;

/** Runs the service as this process: prints the greeting, and ends the process at a signal or a failure. */
export async function runService({ api, worker, paused, port, host }: RoleFlags): Promise<void> {
  limitHeapGrowth();
  const both = (api ?? false) === (worker ?? false);
  const starting = start(
    { api: both || api === true, worker: both || worker === true },
    {
      ...(paused === true && { PAUSED: 'true' }),
      ...(port !== undefined && { PORT: String(port) }),
      ...(host !== undefined && { HOST: host }),
    },
  );
  let firstSignalAtMs: number | null = null;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const nowMs = performance.now();
      if (firstSignalAtMs === null) void shutDown(starting, signal);
      else if (nowMs - firstSignalAtMs > SAME_SIGNAL_MS) exitNow();
      firstSignalAtMs ??= nowMs;
    });
  }
  try {
    const service = await starting;
    process.stdout.write(greeting(service, service.app.get(Clock).now()));
  } catch (error) {
    await fail(error);
  }
}

/** A signal during startup waits for the start to finish, then shuts down. */
async function shutDown(starting: Promise<RunningService>, signal: NodeJS.Signals): Promise<void> {
  setTimeout(exitNow, EXIT_TIMEOUT_MS).unref();
  try {
    const service = await starting;
    // The terminal has printed `^C`.
    if (service.logFormat === 'text') process.stdout.write(signal === 'SIGINT' ? `\n${ENDING}` : ENDING);
    await service.drain();
    await service.stop();
    process.exit(0);
  } catch (error) {
    await fail(error);
  }
}

/** Exits with 0, as after a graceful shutdown. The sweeps find unfinished work. */
function exitNow(): never {
  process.stderr.write('Rcpt exits before all requests and jobs have ended\n');
  process.exit(0);
}

/** The service is imported after the configuration is checked, so that an error in it fails without delay. */
async function start(
  roles: ProcessRoles,
  settings: Readonly<Record<string, string>>,
): Promise<RunningService> {
  const { readConfig, setSettings } = await import('./platform/config/config.js');
  setSettings(settings);
  const config = readConfig(undefined, roles);
  const { requireFreePorts } = await import('./listening.js');
  await requireFreePorts(config);
  const { startService } = await import('./serve.js');
  return startService(roles);
}

async function fail(error: unknown): Promise<never> {
  const { ConfigError } = await import('./platform/config/config.js');
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Rcpt cannot start:\n${message.replaceAll(/^/gm, '  ')}\n`);
  process.exit(error instanceof ConfigError ? EX_CONFIG : 1);
}
