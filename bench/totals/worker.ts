// A process of `bench/totals/run.ts`: its sessions, and the permits that it shares with the others.
import { StoredSharedState } from '../../src/engine/limits/adapters/stored-shared-state.js';
import { PostgresPermitStore } from '../../src/modules/verification/mail-servers/adapters/postgres-permit-store.js';
import { PostgresSharedStateStore } from '../../src/modules/verification/mail-servers/adapters/postgres-shared-state-store.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { PostgresUnitOfWork } from '../../src/platform/database/transactions/postgres-unit-of-work.js';
import { SystemClock } from '../../src/platform/time/system-clock.js';
import { SmtpProcess } from '../../test/support/smtp/smtp-process.js';
import { COMMAND_TIMEOUT_MS, CONNECTIONS_PER_ADDRESS, providersOf, TIMES, trialsOf } from './plan.js';

export interface WorkerOptions {
  name: string;
  url: string;
  port: number;
  trials: Parameters<typeof trialsOf>;
}

const options = JSON.parse(process.argv[2] ?? '') as WorkerOptions;
const trials = trialsOf(...options.trials);
const work = new PostgresUnitOfWork(await createDataSource(options.url, [], 2).initialize());
const clock = new SystemClock();
const sharedState = new StoredSharedState({
  store: new PostgresSharedStateStore(work),
  process: options.name,
  clock,
});
sharedState.start();
const mail = new SmtpProcess({
  name: options.name,
  port: options.port,
  store: new PostgresPermitStore(work, TIMES),
  times: TIMES,
  clock,
  sharedState,
  maxConnections: CONNECTIONS_PER_ADDRESS,
  commandTimeoutMs: COMMAND_TIMEOUT_MS,
  idleMs: 300,
  providers: providersOf(trials),
});

process.on('message', (number: number) => {
  const { recipients, ips, mxHost, name } = trials[number]!;
  const asked = Array.from({ length: recipients }, (_, n) =>
    mail.ask(`${name}-${n}`, ips[n % ips.length], n % 7 === 0 ? 'single' : 'list', mxHost),
  );
  void Promise.all(asked).then((results) => {
    const replied = results.filter(({ end }) => end === 'replied').length;
    process.send?.({ number, replied, asked: results.length });
  });
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
