import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { parseArgs } from 'node:util';
import { greeting } from './greeting.js';
import { ConfigError } from './platform/config/config.js';
import type { ProcessRoles } from './platform/config/process-roles.js';
import { BoundedExpressAdapter, NEST_OPTIONS } from './platform/http/configure-app.js';
import { BullJobQueue } from './platform/queue/bull-job-queue.js';
import { PrometheusMeter } from './platform/telemetry/prometheus-meter.js';
import type { RunningService } from './serve.js';

const EX_USAGE = 64;
const EX_CONFIG = 78;
/** After this the process ends whatever is still under way. */
const EXIT_TIMEOUT_MS = 29_000;

async function main(): Promise<void> {
  const starting = start(rolesOf(process.argv.slice(2)));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      setTimeout(() => process.exit(1), EXIT_TIMEOUT_MS).unref();
      // Also while it starts: a start that is half done ends the same way.
      starting.then(end).then(() => process.exit(0), fail);
    });
  }
  const service = await starting;
  service.app.get(PrometheusMeter).watchProcess();
  process.stdout.write(greeting(service));
  // Loaded now, so that the first job does not wait for the library.
  await service.app.get(BullJobQueue).warmUp();
}

async function start(roles: ProcessRoles): Promise<RunningService> {
  // Loaded after the arguments were read: a wrong one is answered at once.
  const [{ AppModule }, { serve }] = await Promise.all([import('./app.module.js'), import('./serve.js')]);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoles(roles),
    new BoundedExpressAdapter(),
    {
      ...NEST_OPTIONS,
      logger: false,
    },
  );
  return serve(app);
}

async function end(service: RunningService): Promise<void> {
  await service.drain();
  await service.stop();
}

/** Neither flag means both. */
function rolesOf(args: string[]): ProcessRoles {
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
