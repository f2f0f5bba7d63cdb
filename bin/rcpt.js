#!/usr/bin/env node
// The command itself is built; this stands here so that it is executable before and after every build.
import { existsSync } from 'node:fs';

const command = new URL('../dist/cli.js', import.meta.url);
if (!existsSync(command)) {
  process.stderr.write('rcpt: not built yet; run `npm run build` first\n');
  process.exit(70);
}
const { run } = await import(command.href);
const code = await run(process.argv.slice(2));
if (code !== null) process.exit(code);
