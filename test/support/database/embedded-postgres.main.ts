// A child process with an embedded PostgreSQL. `OtherProcess` starts it and communicates by lines.
import { createInterface } from 'node:readline';
import { EmbeddedPostgres } from '../../../src/platform/database/embedded-postgres.js';
import type { EmbeddedRole } from '../../../src/platform/database/embedded-session.js';

export interface Order {
  readonly dataDir: string;
  readonly packageDir?: string;
  readonly role?: EmbeddedRole;
  /** Switches to this account first; requires root. */
  readonly uid?: number;
}

const { uid, role, ...options } = JSON.parse(process.argv[2] ?? '{}') as Order;

if (uid !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
}

try {
  const postgres = await EmbeddedPostgres.open({ ...options, log: (line) => console.log(`log ${line}`) });
  if (role) await postgres.claim(role);
  console.log(`open ${postgres.url}`);
  for await (const line of createInterface(process.stdin)) {
    if (line === 'close') break;
  }
  await postgres.close();
  process.exit();
} catch (error) {
  console.log(`failed ${(error as Error).message}`);
  process.exit(1);
}
