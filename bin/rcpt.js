#!/usr/bin/env node
// The command itself is built; this stands here so that it is executable before and after every build.
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `rcpt: needs Node 20.19 or later, and this is Node ${process.versions.node}; install a later one from https://nodejs.org\n`,
  );
  process.exit(70);
}
const command = new URL('../dist/cli.js', import.meta.url);
if (!existsSync(command)) {
  process.stderr.write('rcpt: not built yet; run `npm run build` first\n');
  process.exit(70);
}
const { run } = await import(command.href);
const { reportOutputErrors } = await import(
  new URL('../dist/commands/output-errors.js', import.meta.url).href
);
reportOutputErrors();
const code = await run(process.argv.slice(2));
if (code !== null) process.exit(code);
