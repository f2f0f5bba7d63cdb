// A process of its own that charges a team's quota: `QuotaProcess` starts it and reads what it says.
import { once } from 'node:events';
import { DailyQuotaExceeded } from '../../src/modules/usage/usage.service.js';
import { aCaller, PAID, usageOn } from './usage-parts.js';

export interface Order {
  readonly url: string;
  readonly limit: number;
  /** How many callers at once. */
  readonly clients: number;
  /** Calls of each; without it, until the quota is used up. */
  readonly calls?: number;
}

const { url, limit, clients, calls = Infinity } = JSON.parse(process.argv[2] ?? '{}') as Order;
const parts = await usageOn(url, { limited: limit });
const { usage } = parts;
const caller = aCaller('limited');
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
// Whoever gave a number of calls kills the process.
if (calls !== Infinity) await new Promise(() => undefined);
await parts.close();
process.exit();
