// `node bin/run-parallel.js NAME…` runs scripts of package.json at the same time, and fails if one of them fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const options = { stdio: 'inherit', shell: process.platform === 'win32' };
const runs = process.argv
  .slice(2)
  .map((name) => once(spawn('npm', ['run', '--silent', name], options), 'close'));
const codes = await Promise.all(runs);
process.exitCode = codes.every(([code]) => code === 0) ? 0 : 1;
