import { openPlatform, type OpenPlatform } from '../platform/open-platform.js';
import { SCHEMAS } from '../schema.js';
import { terminalPlatform } from './terminal-platform.js';

/** Finds the database as the service does: `DATABASE_URL`, or the embedded one, also while the service runs on it. */
export async function withDatabase(work: (platform: OpenPlatform) => Promise<void>): Promise<void> {
  const platform = await openPlatform(terminalPlatform(), SCHEMAS);
  try {
    await work(platform);
  } finally {
    await platform.close();
  }
}
