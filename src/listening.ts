import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from './platform/config/config.js';
import { listeningError, type ListenAt } from './platform/config/listening-error.js';

/**
 * Before anything is made: a service that cannot listen would have made a database, and keys that nobody was shown.
 *
 * @throws Error that names what to set.
 */
export async function requireFreePorts({ host, port, metricsPort }: Config): Promise<void> {
  await requireFree({ host, port, setting: 'PORT' });
  if (metricsPort !== null) await requireFree({ host, port: metricsPort, setting: 'METRICS_PORT' });
}

async function requireFree(place: ListenAt): Promise<void> {
  const probe = createServer().listen(place.port, place.host);
  await once(probe, 'listening').catch((error: unknown) => {
    throw listeningError(error as NodeJS.ErrnoException, place);
  });
  probe.close();
  await once(probe, 'close');
}
