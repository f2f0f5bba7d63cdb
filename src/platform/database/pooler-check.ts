import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { ConfigError } from '../config/config.js';

const SETTING = 'rcpt.pooler_check';

const TRANSACTION_POOLING =
  'DATABASE_URL leads to a pooler in transaction mode, in which settings, advisory locks and LISTEN get lost. ' +
  'Set pool_mode = session for this database, or connect to PostgreSQL directly.';

/**
 * Tests whether a connection keeps its session. A setting of one connection must not be visible to
 * another one, and must still be there while that one holds a server connection in a transaction.
 *
 * @param dataSource connected, with a pool of two connections or more.
 * @throws ConfigError
 */
export async function refuseTransactionPooling(dataSource: DataSource): Promise<void> {
  const [first, second] = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
  const value = randomUUID();
  const read = `SELECT current_setting('${SETTING}', true) AS value`;
  try {
    await first.query(`SELECT set_config('${SETTING}', $1, false)`, [value]);
    await second.startTransaction();
    const [seen] = (await second.query(read)) as { value: string | null }[];
    const [kept] = (await first.query(read)) as { value: string | null }[];
    await second.rollbackTransaction();
    if (seen?.value === value || kept?.value !== value) throw new ConfigError(TRANSACTION_POOLING);
    await first.query(`RESET ${SETTING}`);
  } finally {
    await Promise.all([first.release(), second.release()]);
  }
}
