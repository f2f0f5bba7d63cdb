// Builds unless the build is newer than everything that it is made of. `npm ci`
// builds already, unless scripts are refused; then `npm start` does.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const sources = [
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
  'bin',
  'src',
  'console',
  'widget',
];

function newest(path) {
  const { mtimeMs } = statSync(path);
  // Tests are not built.
  if (path.endsWith('.spec.ts')) return 0;
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const built = ['main.js', 'console/index.html', 'widget'].map((name) => join(root, 'dist', name));
const isStale =
  !built.every((path) => existsSync(path)) ||
  Math.max(...sources.map((name) => newest(join(root, name)))) >
    Math.min(...built.map((path) => statSync(path).mtimeMs));
if (isStale)
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
