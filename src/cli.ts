import { Command, CommanderError, Option } from 'commander';
import {
  auditAction,
  entryCount,
  hostAndPort,
  name,
  note,
  origins,
  portNumber,
  seconds,
  statuses,
  utcTime,
} from './commands/arguments.js';
import { connectionSentence, fileSentence } from './commands/fault-sentences.js';
import { inCommandTerms, UsageError } from './commands/terminal.js';
import { DomainError, type ErrorKind } from './kernel/errors/domain-error.js';
import { MODES } from './kernel/principal.js';
import { ENCODINGS } from './modules/bulk/domain/list-reader.js';
import { SMTP_STAGES, STATUSES } from './kernel/verdict.js';
import { version } from './platform/telemetry/version.js';

/** The `rcpt` command line: each command is one entry here and one function in another file. */

/** Exit codes of sysexits.h; they do not overlap with those of `verify`. */
const EX_USAGE = 64;
const EX_SOFTWARE = 70;
const EX_CONFIG = 78;
/** Errors caused by the arguments, not by the state of the service. */
const USAGE_ERRORS: readonly ErrorKind[] = ['invalid', 'not-found', 'conflict'];

export const rcpt = new Command('rcpt')
  .description('Email-address verification that you run yourself')
  .version(version(), '--version', 'print the version')
  .configureHelp({ showGlobalOptions: true })
  .exitOverride();

rcpt
  .command('verify <email>')
  .description('verify an address with DNS and SMTP; needs no service and no database')
  .option('--json', 'print the verdict as JSON, as the API returns it')
  .option('--timeout <seconds>', 'timeout in seconds, 1–30', seconds, 10)
  .addHelpText('after', '\nExits with 0 deliverable, 1 undeliverable, 2 risky, 3 unknown.')
  .action(loaded(async () => (await import('./commands/verify/verify.js')).verifyAddress));

rcpt
  .command('bulk <file>')
  .description('verify the addresses of a CSV, and write it with the verdicts; - is standard input')
  .option(
    '-o, --output <file>',
    'output file, - for standard output; default: the input name with .verified.csv, or - if the list is read from a pipe',
  )
  .option('--force', 'replace an existing output file')
  .option(
    '--url <url>',
    'a running service (or RCPT_URL, with the key in RCPT_API_KEY); default: verify locally',
  )
  .option('--refresh', 'probe mail servers even if the service has a stored result')
  .option('--column <name|number>', 'the column with the addresses; default: it is detected')
  .option('--header', 'the first row names the columns; default: it is detected')
  .option('--no-header', 'the first row is data')
  .addOption(
    new Option('--encoding <name>', 'encoding of the list; default: it is detected').choices(ENCODINGS),
  )
  .option('--only <statuses>', `write only rows with these: ${STATUSES.join(',')}`, statuses)
  .option('--no-formula-guard', 'leave cells as they are that a spreadsheet would run as a formula')
  .option('--json', 'print the summary as JSON')
  .addHelpText(
    'after',
    '\nAfter an interruption, run the same command again to resume; this needs an output file.',
  )
  .action(loaded(async () => (await import('./commands/bulk/bulk.js')).verifyList));

rcpt
  .command('doctor')
  .description('check whether mail servers can be reached from here, and explain how to fix problems')
  .option('--offline', 'run only the checks of the database and the queue')
  .option(
    '--egress-ip <address...>',
    'the public addresses, when this machine cannot determine them; with several egresses NAME=ADDRESS',
  )
  .option('--json', 'print JSON')
  .addHelpText('after', '\nExits with 1 when a check fails.')
  .action(loaded(async () => (await import('./commands/doctor.js')).runDoctor));

rcpt
  .command('egress')
  .description('be the way out to mail servers for an installation whose own port 25 is blocked')
  .option('--listen <host:port>', 'where the installation connects to', hostAndPort, {
    host: '0.0.0.0',
    port: 1080,
  })
  .option('--port <port>', 'the only port that is dialled', portNumber, 25)
  .addHelpText(
    'after',
    '\nPrints the findings of the doctor, then the SMTP_EGRESS of the installation, and runs until it is ended.' +
      '\nCertificate and password are kept in DATA_DIR. docs/mail-servers.md says more.',
  )
  .action(loaded(async () => (await import('./commands/egress.js')).runEgress));

rcpt
  .command('explain <reply>')
  .description(
    'explain how a mail server’s reply is classified: "550 5.1.1 User unknown"; lines are separated by |',
  )
  .addOption(
    new Option('--stage <stage>', 'the command that was answered').choices(SMTP_STAGES).default('rcpt'),
  )
  .option('--provider <name>', 'the mail provider, as in dns.provider of a verdict')
  .option('--recipient <email>', 'the recipient, if the reply repeats the address')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/verify/explain.js')).explain));

rcpt
  .command('accuracy')
  .description('show how verdicts of a running service compare with what became of the mails')
  .option('--url <url>', 'the service (or RCPT_URL), with the key in RCPT_API_KEY')
  .option('--days <days>', 'days up to now, 1–365', '90')
  .option('--json', 'print the response of GET /v1/accuracy')
  .action(loaded(async () => (await import('./commands/accuracy.js')).showAccuracy));

rcpt
  .command('migrate')
  .description('run database migrations')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/admin/migrate.js')).migrateDatabase));

rcpt
  .command('account')
  .description('accounts')
  .command('create')
  .description('run migrations, and create a team with its owner, a live key and a test key')
  .requiredOption('--email <email>', 'the owner’s address')
  .option('--team <name>', 'the team’s name', name, 'My team')
  .option('--tier <tier>', 'its tier', 'unlimited')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/admin/accounts.js')).createAccount));

const keys = rcpt.command('keys').description('a team’s keys');

keys
  .command('create')
  .description('create a key, and show it once')
  .requiredOption('--team <id>', 'the team it belongs to')
  .requiredOption('--name <name>', 'name of the key', name)
  .option('--user <id>', 'the member it belongs to; default: a service key')
  .addOption(new Option('--mode <mode>', 'live or test').choices(MODES).default('live'))
  .option('--publishable', 'a key for web pages: it can only verify single addresses')
  .option('--origin <origin...>', 'the origins of these pages, such as https://www.example.com', origins)
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/admin/keys.js')).createKey));

keys
  .command('list')
  .description('all keys of a team, newest first, masked')
  .requiredOption('--team <id>', 'the team')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/admin/keys.js')).listKeys));

keys
  .command('revoke <key-id>')
  .description('revoke a key permanently')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/admin/keys.js')).revokeKey));

rcpt
  .command('teams')
  .description('all teams')
  .command('list')
  .description('all teams, oldest first, with their tier, and the ids, addresses and roles of their members')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/admin/teams.js')).listTeams));

const users = rcpt.command('users').description('the users of all teams');

users
  .command('list')
  .description('all users, newest first, with the state of their address and their teams')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/admin/users.js')).listUsers));

users
  .command('erase <email>')
  .description('erase a person: their users, keys and invites, and the stored data about the address')
  .option('--delete-teams', 'also delete the teams that they own, with all data')
  .option('--json', 'print JSON')
  .addHelpText('after', '\ndocs/stored-data.md lists other data about a person, and its retention.')
  .action(loaded(async () => (await import('./commands/admin/users.js')).eraseUser));

rcpt
  .command('audit')
  .description('who changed what: the audit log of all teams, newest first')
  .option('--team <id>', 'only of this team; it may be deleted')
  .option('--actor <id>', 'only by this user or key')
  .option('--action <action>', 'only this action, such as key.created', auditAction)
  .option('--from <time>', 'since 2026-01-31 or 2026-01-31T12:00:00Z, in UTC', utcTime)
  .option('--to <time>', 'before that time', utcTime)
  .option('--limit <n>', 'entries, 1–10,000', entryCount, 100)
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\ndocs/api.md lists the actions. AUDIT_RETENTION_DAYS is how long entries are stored.',
  )
  .action(loaded(async () => (await import('./commands/admin/audit.js')).listAuditLog));

rcpt
  .command('tier')
  .description('teams’ tiers')
  .command('set <team-id> <tier>')
  .description('set the base tier of a team')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/admin/tiers.js')).setTier));

const disposable = rcpt.command('disposable').description('which domains count as disposable');

disposable
  .command('pending')
  .description('overrides made by teams or proposed by the engine that are not merged')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/admin/disposable.js')).listPendingOverrides));

disposable
  .command('add <domain>')
  .description('declare for all teams that a domain and its subdomains are disposable')
  .option('--not', 'declare that they are not')
  .option('--note <text>', 'why', note)
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/admin/disposable.js')).addOverride));

disposable
  .command('merge [domain-or-id...]')
  .description('merge pending overrides for all teams; without arguments, all candidates of the engine')
  .option('--reject', 'reject them instead: they are not proposed again')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/admin/disposable.js')).mergeOverrides));

disposable
  .command('show <domain>')
  .description('the lists that contain a domain, their versions and licences, and the result')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/verify/domain-report.js')).showDomain));

disposable
  .command('update [lists...]')
  .description('read lists from files or URLs, and replace the current ones')
  .option('--licence <spdx>', 'the licence of the lists; verdicts contain it')
  .option('--dry-run', 'show what would change')
  .option('--force', 'accept lists that remove more than a tenth of the domains')
  .option('--json', 'print the whole difference as JSON')
  .addHelpText(
    'after',
    '\nA list is a JSON array, or one domain per line. Without arguments, the previous sources are read again.',
  )
  .action(loaded(async () => (await import('./commands/admin/list-updates.js')).updateLists));

/** The code of a command is loaded when it runs: `rcpt --help` needs none of it. */
function loaded<Args extends unknown[]>(load: () => Promise<(...args: Args) => Promise<void>>) {
  return async (...args: Args): Promise<void> => (await load())(...args);
}

function isUsage(error: unknown): boolean {
  return (
    error instanceof UsageError || (error instanceof DomainError && USAGE_ERRORS.includes(error.fact.kind))
  );
}

function messageOf(error: unknown): string {
  return inCommandTerms(error instanceof Error ? error.message : String(error));
}

/** @returns the exit code; null: the command has set it. */
export async function run(args: readonly string[]): Promise<number | null> {
  try {
    await rcpt.parseAsync(args, { from: 'user' });
    return null;
  } catch (error) {
    // commander has already printed the error, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EX_USAGE;
    const file = fileSentence(error);
    process.stderr.write(`rcpt: ${file ?? connectionSentence(error) ?? messageOf(error)}\n`);
    if (file !== null || isUsage(error)) return EX_USAGE;
    // Loaded with every command that can throw it, and not for `--help`.
    const { ConfigError } = await import('./platform/config/config.js');
    return error instanceof ConfigError ? EX_CONFIG : EX_SOFTWARE;
  }
}
