// A separate process that holds all connections to a mail server: `shared-connections.spec.ts` kills it.
import type { PermitTimes } from '../../../src/engine/limits/permit-store.js';
import { PostgresPermitStore } from '../../../src/modules/verification/mail-servers/adapters/postgres-permit-store.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import { SmtpProcess } from './smtp-process.js';

export interface PermitHolderOrder {
  url: string;
  port: number;
  times: PermitTimes;
}

const { url, port, times } = JSON.parse(process.argv[2] ?? '{}') as PermitHolderOrder;
const source = await createDataSource(url, [], 2).initialize();
const store = new PostgresPermitStore(new PostgresUnitOfWork(source), times);
void new SmtpProcess({ name: 'holder', port, store, times }).askMany(5_000);
// The test has ended without killing this process.
process.stdin.on('end', () => process.exit()).resume();
