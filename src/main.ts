import { constants, getPriority, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { greeting } from './greeting.js';
import { ConfigError, readConfig } from './platform/config/config.js';
import { barePlatform } from './platform/bare-platform.js';
import { keepHeapTight } from './platform/memory/tight-heap.js';
import type { Roles, RunningService } from './start.js';

const EX_USAGE = 64;
const EX_CONFIG = 78;
/** After this the process ends whatever is still under way. */
const LAST_CALL_MS = 29_000;

async function main(): Promise<void> {
  const platform = barePlatform(readConfig());
  const roles = rolesOf(process.argv.slice(2));
  keepHeapTight();
  if (!roles.api) giveWay();
  // Loaded now: whoever asked wrongly need not wait for all of it.
  const starting = import('./start.js').then(({ start }) => start(platform, roles));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      setTimeout(() => process.exit(1), LAST_CALL_MS).unref();
      // Also when it is not up yet: what a half-done start has begun is ended the same way.
      starting.then(end).then(() => process.exit(0), fail);
    });
  }
  platform.meter.watchProcess();
  const service = await starting;
  process.stdout.write(greeting(service));
  await service.warmUp();
}

/** Nobody waits for a worker as somebody does for an answer: where both want the same processor, it comes second. */
function giveWay(): void {
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Whoever may not say so works on as before.
  }
}

async function end(service: RunningService): Promise<void> {
  await service.takeLeave();
  await service.stop();
}

/** Neither flag means both. */
function rolesOf(args: string[]): Roles {
  try {
    const { values } = parseArgs({
      args,
      options: { api: { type: 'boolean' }, worker: { type: 'boolean' } },
    });
    const both = values.api === values.worker;
    return { api: both || values.api === true, worker: both || values.worker === true };
  } catch {
    process.stderr.write('usage: node dist/main.js [--api | --worker]\n');
    process.exit(EX_USAGE);
  }
}

function fail(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Rcpt cannot run:\n${message.replaceAll(/^/gm, '  ')}\n`);
  process.exit(error instanceof ConfigError ? EX_CONFIG : 1);
}

main().catch(fail);
