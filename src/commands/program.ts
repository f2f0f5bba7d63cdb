import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { UsageError } from './terminal.js';
import { DomainError, type ErrorKind } from '../kernel/domain-error.js';
import { MODES } from '../kernel/principal.js';
import { NameField, remarkOf } from '../platform/http/fields.js';

/** The `rcpt` command line: each command is one entry here and one function in a file beside. */

/** Codes of sysexits.h: above those that `verify` answers with. */
const EX_USAGE = 64;
const EX_SOFTWARE = 70;
/** What the services refuse because of what they were asked, not because of how they are. */
const ASKED_WRONGLY: readonly ErrorKind[] = ['invalid', 'not-found', 'conflict'];

const rcpt = new Command('rcpt')
  .description('Email-address verification that you run yourself')
  .configureHelp({ showGlobalOptions: true })
  .exitOverride();

rcpt
  .command('verify <email>')
  .description('ask name and mail servers about an address; needs no server and no database')
  .option('--json', 'print the verdict as the API answers it')
  .option('--timeout <seconds>', 'give up after this long, 1–30', seconds, 10)
  .addHelpText('after', '\nExits with 0 deliverable, 1 undeliverable, 2 risky, 3 unknown.')
  .action(loaded(async () => (await import('./verify.js')).verifyAddress));

rcpt
  .command('bulk <file>')
  .description('verify the addresses of a CSV with a column `email`, and write it with the verdicts')
  .option('-o, --output <file>', 'where to; left out, the name of the list with .verified.csv')
  .option('--url <url>', 'a running service (or RCPT_URL; its key in RCPT_API_KEY); left out, ask from here')
  .option('--refresh', 'ask mail servers also where the service knows the answer')
  .option('--json', 'print how it went as JSON')
  .addHelpText('after', '\nInterrupted, the same command goes on where it stopped.')
  .action(loaded(async () => (await import('./bulk.js')).verifyList));

rcpt
  .command('doctor')
  .description('say whether mail servers can be asked from here, and what to do about what is missing')
  .option('--offline', 'ask nobody but the database and the queue')
  .option(
    '--egress-ip <address...>',
    'the addresses that mail servers see, where this machine cannot know them',
  )
  .option('--json', 'print JSON')
  .addHelpText('after', '\nExits with 1 when a check fails.')
  .action(loaded(async () => (await import('./doctor.js')).runDoctor));

rcpt
  .command('migrate')
  .description('bring the database up to date')
  .option('--json')
  .action(loaded(async () => (await import('./migrate.js')).migrateDatabase));

rcpt
  .command('account')
  .description('accounts')
  .command('create')
  .description('bring the database up to date, and make a team with its owner, a live key and a test key')
  .requiredOption('--email <email>', 'the owner’s address')
  .option('--team <name>', 'the team’s name', name, 'My team')
  .option('--tier <tier>', 'its tier', 'unlimited')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./accounts.js')).createAccount));

const keys = rcpt.command('keys').description('a team’s keys');

keys
  .command('create')
  .description('make a key, and show it this once')
  .requiredOption('--team <id>', 'the team it belongs to')
  .requiredOption('--name <name>', 'what it is for', name)
  .option('--user <id>', 'the member it belongs to; left out, it is a service key')
  .addOption(new Option('--mode <mode>', 'live or test').choices(MODES).default('live'))
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./keys.js')).createKey));

keys
  .command('list')
  .description('all keys of a team, newest first, masked')
  .requiredOption('--team <id>', 'the team')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./keys.js')).listKeys));

keys
  .command('revoke <key-id>')
  .description('end a key for good')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./keys.js')).revokeKey));

const users = rcpt.command('users').description('the users of all teams');

users
  .command('list')
  .description('all users, newest first: who they are, whether their address is confirmed, and their teams')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./users.js')).listUsers));

users
  .command('erase <email>')
  .description('erase a person: their users, keys and invites, and what is known about the address')
  .option('--delete-teams', 'also delete the teams that they own, with everything of them')
  .option('--json', 'print JSON')
  .addHelpText('after', '\ndocs/operating.md says what else holds a person, and for how long.')
  .action(loaded(async () => (await import('./users.js')).eraseUser));

rcpt
  .command('tier')
  .description('teams’ tiers')
  .command('set <team-id> <tier>')
  .description('set the base tier of a team')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./tiers.js')).setTier));

const disposable = rcpt.command('disposable').description('which domains count as disposable');

disposable
  .command('pending')
  .description('overrides that teams have made, or the engine proposes, and that you have not merged')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./disposable.js')).listPendingOverrides));

disposable
  .command('add <domain>')
  .description('say for all teams that a domain and its subdomains are disposable')
  .option('--not', 'say that they are not')
  .option('--note <text>', 'why', note)
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./disposable.js')).addOverride));

disposable
  .command('merge [domain-or-id...]')
  .description('put pending overrides in force for all teams; unnamed, all that the engine proposes')
  .option('--reject', 'decide against them instead: they wait no more, and are not proposed again')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./disposable.js')).mergeOverrides));

disposable
  .command('show <domain>')
  .description('which lists name a domain, their versions and licences, and what follows')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./domain-report.js')).showDomain));

disposable
  .command('update [lists...]')
  .description('read newer lists from files or URLs, and put them in the place of those in force')
  .option('--licence <spdx>', 'the licence they come under; verdicts name it')
  .option('--dry-run', 'show what would change')
  .option('--force', 'also when more than a tenth of the domains would go')
  .option('--json', 'print the whole difference as JSON')
  .addHelpText(
    'after',
    '\nA list is a JSON array, or a domain a line. Without one, those of the last time are read again.',
  )
  .action(loaded(async () => (await import('./list-updates.js')).updateLists));

/** A command's code is loaded when it is run: `rcpt --help` needs none of it. */
function loaded<Args extends unknown[]>(load: () => Promise<(...args: Args) => Promise<void>>) {
  return async (...args: Args): Promise<void> => (await load())(...args);
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value >= 1 && value <= 30)) throw new InvalidArgumentError('It must be a number from 1 to 30.');
  return value;
}

function name(text: string): string {
  const { error } = NameField.safeParse(text);
  if (error !== undefined) throw new InvalidArgumentError(error.issues[0]?.message ?? 'It is no name.');
  return text;
}

function note(text: string): string {
  const { error } = remarkOf(200).safeParse(text);
  if (error !== undefined) throw new InvalidArgumentError(error.issues[0]?.message ?? 'It is no note.');
  return text;
}

function isUsage(error: unknown): boolean {
  return (
    error instanceof UsageError || (error instanceof DomainError && ASKED_WRONGLY.includes(error.fact.kind))
  );
}

/** @returns the exit code; null: whatever the command has set. */
export async function run(args: readonly string[]): Promise<number | null> {
  try {
    await rcpt.parseAsync(args, { from: 'user' });
    return null;
  } catch (error) {
    // The library has already said what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EX_USAGE;
    process.stderr.write(`rcpt: ${error instanceof Error ? error.message : String(error)}\n`);
    return isUsage(error) ? EX_USAGE : EX_SOFTWARE;
  }
}
