// A child process with an embedded PostgreSQL. `OtherProcess` starts it and communicates by lines. It is
// JavaScript and uses the build, because a compiler in each child process is slow.
import { createInterface } from 'node:readline';
import { EmbeddedPostgres } from '../../../dist/platform/database/embedded/embedded-postgres.js';

const { uid, ...options } = JSON.parse(process.argv[2] ?? '{}');

if (uid !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
}

try {
  const postgres = await EmbeddedPostgres.open({ ...options, log: (line) => console.log(`log ${line}`) });
  console.log(`open ${postgres.url}`);
  for await (const line of createInterface(process.stdin)) {
    if (line === 'close') break;
    if (line === 'exit') process.exit();
  }
  await postgres.close();
  process.exit();
} catch (error) {
  console.log(`failed ${error.message}`);
  process.exit(1);
}
