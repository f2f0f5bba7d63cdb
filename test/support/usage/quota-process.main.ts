// A child process that charges the quota of a team. `QuotaProcess` starts it and reads its output.
import { once } from 'node:events';
import { DailyQuotaExceeded } from '../../../src/modules/usage/usage.service.js';
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

const { url, limit, clients, calls = Infinity, page = false } = JSON.parse(process.argv[2] ?? '{}') as Order;
const parts = await usageOn(url, { limited: limit });
const { usage } = parts;
const caller = page ? aPage('limited') : aCaller('limited');
let accepted = 0;

async function client(): Promise<void> {
  for (let call = 0; call < calls; call++) {
    try {
      await usage.charge(caller, [PAID]);
      accepted++;
    } catch (error) {
      if (error instanceof DailyQuotaExceeded) return;
      throw error;
    }
  }
}

console.log('ready');
await once(process.stdin, 'data');
await Promise.all(Array.from({ length: clients }, client));
console.log(`accepted ${accepted}`);
// With a number of calls, the parent kills the process.
if (calls !== Infinity) await new Promise(() => undefined);
await parts.close();
process.exit();
