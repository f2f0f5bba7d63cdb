import type { Reading } from '../../../kernel/meter.js';
import type { LimitsStore } from '../../../engine/limits/limits-store.js';
import { PROVIDER_PREFIX, type Providers } from '../../../engine/smtp/providers.js';

/** In the place of providers that are not in the table: their names are those of customers' servers. */
const OTHER = 'other';

/**
 * The sessions of all processes by egress and provider.
 *
 * @param nameOf the name of an egress by its key.
 */
export async function providerSessions(
  store: LimitsStore,
  providers: Providers,
  nameOf: (egress: string) => string,
): Promise<Reading[]> {
  const sums = new Map<string, Reading>();
  for (const { egress, server, ...values } of await store.usage(PROVIDER_PREFIX)) {
    const name = server.slice(PROVIDER_PREFIX.length);
    const provider = providers.isKnown(name) ? name : OTHER;
    for (const value of ['limit', 'used', 'waiting'] as const) {
      const labels = [nameOf(egress), provider, value];
      const sum = sums.get(labels.join(' '))?.value ?? 0;
      sums.set(labels.join(' '), { labels, value: sum + values[value] });
    }
  }
  return [...sums.values()];
}
