import { parseArgs } from 'node:util';
import { greeting } from './greeting.js';
import { Clock } from './kernel/clock.js';
import type { ProcessRoles } from './platform/config/process-roles.js';
import { limitHeapGrowth } from './platform/memory/heap-growth.js';
import type { RunningService } from './serve.js';

const USAGE = 'usage: node dist/main.js [--api | --worker]';
const HELP = `${USAGE}

Starts the service: without a flag, the API and the background work in one process.

  --api       only the API
  --worker    only the background work
  -h, --help  print this text

Settings are environment variables (docs/installation.md). For commands see: node bin/rcpt.js --help
`;
const EX_USAGE = 64;
const EX_CONFIG = 78;
/** The process exits after this time even if requests or jobs are still running: at most 25 s in total. */
const EXIT_TIMEOUT_MS = 23_500;
/** Signals within this time count as one: npm forwards a signal that a terminal has sent to both. */
const SAME_SIGNAL_MS = 1_000;

async function main(): Promise<void> {
  limitHeapGrowth();
  const starting = start(rolesOf(process.argv.slice(2)));
  let firstSignalAtMs: number | null = null;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const nowMs = performance.now();
      if (firstSignalAtMs === null) void shutDown(starting);
      else if (nowMs - firstSignalAtMs > SAME_SIGNAL_MS) exitNow();
      firstSignalAtMs ??= nowMs;
    });
  }
  const service = await starting;
  process.stdout.write(greeting(service, process.stdout.isTTY, service.app.get(Clock).now()));
}

/** A signal during startup waits for the start to finish, then shuts down. */
async function shutDown(starting: Promise<RunningService>): Promise<void> {
  setTimeout(exitNow, EXIT_TIMEOUT_MS).unref();
  try {
    const service = await starting;
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

/**
 * The service is imported after the arguments are parsed and the configuration is checked, so that an error in
 * either fails without delay.
 */
async function start(roles: ProcessRoles): Promise<RunningService> {
  const { readConfig } = await import('./platform/config/config.js');
  readConfig(undefined, roles);
  const { startService } = await import('./serve.js');
  return startService(roles);
}

/** Without a flag the process has both roles. */
function rolesOf(args: string[]): ProcessRoles {
  try {
    const { values } = parseArgs({
      args,
      options: {
        api: { type: 'boolean' },
        worker: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) {
      process.stdout.write(HELP);
      process.exit(0);
    }
    const both = values.api === values.worker;
    return { api: both || values.api === true, worker: both || values.worker === true };
  } catch {
    process.stderr.write(`${USAGE}\n`);
    process.exit(EX_USAGE);
  }
}

async function fail(error: unknown): Promise<never> {
  const { ConfigError } = await import('./platform/config/config.js');
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Rcpt cannot start:\n${message.replaceAll(/^/gm, '  ')}\n`);
  process.exit(error instanceof ConfigError ? EX_CONFIG : 1);
}

main().catch(fail);
