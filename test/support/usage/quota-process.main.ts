// A child process that charges the quota of a team. `QuotaProcess` gives it orders and reads its output.
import { createInterface } from 'node:readline';
import { DailyQuotaExceeded } from '../../../src/modules/identity/usage/usage.service.js';
import { aCaller, aPage, PAID, usageOn } from './usage-parts.js';

export interface Order {
  readonly url: string;
  readonly limit: number;
  /** Number of concurrent callers. */
  readonly clients: number;
  /** Calls of each caller; default: until the quota is used up. */
  readonly calls?: number;
  /** With a publishable key. */
  readonly page?: boolean;
}

const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
console.log('started');
/** A line has an order; the next line starts it. */
for (let line = await lines.next(); !line.done; line = await lines.next())
  await carryOut(JSON.parse(line.value) as Order);

async function carryOut({ url, limit, clients, calls = Infinity, page = false }: Order): Promise<void> {
  const parts = await usageOn(url, { limited: limit });
  const caller = page ? aPage('limited') : aCaller('limited');
  let accepted = 0;
  const client = async () => {
    for (let call = 0; call < calls; call++) {
      try {
        await parts.usage.charge(caller, [PAID]);
        accepted++;
      } catch (error) {
        if (error instanceof DailyQuotaExceeded) return;
        throw error;
      }
    }
  };
  console.log('ready');
  await lines.next();
  await Promise.all(Array.from({ length: clients }, client));
  // With a number of calls, the parent kills the process while it has connections.
  if (calls === Infinity) await parts.close();
  console.log(`accepted ${accepted}`);
}
