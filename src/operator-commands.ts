import { Option, type Command } from 'commander';
import { KEY_SCOPES, MODES } from './kernel/principal.js';
import {
  auditAction,
  entryCount,
  graceSeconds,
  name,
  networks,
  note,
  origins,
  repeated,
  utcTime,
} from './commands/arguments.js';
import { loaded } from './commands/terminal.js';

const PASSPHRASE_FILE =
  'the passphrase is the first line of this file; default: RCPT_PASSPHRASE, or a question';

function addArchiveCommands(rcpt: Command): void {
  rcpt
    .command('backup <file>')
    .description('write the database to an archive, while the service runs; - is standard output')
    .option('--encrypt', 'encrypt the archive, with a passphrase unless there is a recipient')
    .option('--with-secret-key', 'include the secret key; the archive is encrypted')
    .option('--passphrase-file <file>', PASSPHRASE_FILE)
    .option('--recipient <age1…>', 'encrypt for this public key of `age-keygen`; can be repeated', repeated)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nThe file has its name when it is complete, and replaces one of that name. docs/operations.md says what is in it.',
    )
    .action(loaded(async () => (await import('./commands/archive/backup.js')).backupDatabase));

  rcpt
    .command('restore <file>')
    .description('restore an archive of `rcpt backup` into an empty database; - is standard input')
    .option('--passphrase-file <file>', PASSPHRASE_FILE)
    .option(
      '--identity <file>',
      'a file of `age-keygen` with the key of a recipient; can be repeated',
      repeated,
    )
    .option('--secret-key-to <file>', 'only write the secret key of the archive to a new file')
    .option('--paused', 'the restored service sends nothing to other systems until `rcpt resume`')
    .option('--lost-secret-key', 'restore although no key decrypts what is encrypted')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nRestores everything or nothing, and then runs the migrations that the archive lacks.' +
        '\nExits with 64 if the database is not empty, 65 if the archive cannot be restored, 78 if the secret key is another one.',
    )
    .action(loaded(async () => (await import('./commands/archive/restore.js')).restoreDatabase));

  rcpt
    .command('resume')
    .description('end the pause of `restore --paused` or `start --paused`: the service acts again')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nRunning processes act within seconds: what is due is verified, delivered and mailed.' +
        '\nA process that is started with --paused or PAUSED=true pauses the service again.',
    )
    .action(loaded(async () => (await import('./commands/admin/resume.js')).resumeService));

  rcpt
    .command('check-data')
    .description('read the whole database, decrypt what is encrypted, and compare counts with rows')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nChanges nothing, and can run beside the service. Exits with 1 if something is wrong.',
    )
    .action(loaded(async () => (await import('./commands/archive/check-data.js')).checkData));
}

export function addOperatorCommands(rcpt: Command): void {
  rcpt
    .command('account')
    .description('accounts')
    .command('create')
    .description('run migrations, and create a team with its owner, a live key and a test key')
    .requiredOption('--email <email>', 'the owner’s address')
    .option('--team <name>', 'the team’s name; default: My team', name)
    .option('--tier <tier>', 'its tier', 'unlimited')
    .option('--create', 'make the embedded database if there is none in DATA_DIR')
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
    .addOption(new Option('--scope <scope...>', 'what it may be used for; default: all').choices(KEY_SCOPES))
    .option(
      '--network <cidr...>',
      'where it may be used, such as 192.0.2.0/24; default: everywhere',
      networks,
    )
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
    .command('rotate <key-id>')
    .description('replace a key with a new one of the same name, user and mode, and show it once')
    .option('--grace <seconds>', 'seconds for which the old key stays valid, up to 30 days', graceSeconds, 0)
    .option('--json', 'print JSON')
    .action(loaded(async () => (await import('./commands/admin/keys.js')).rotateKey));

  keys
    .command('revoke <key-id>')
    .description('revoke a key permanently')
    .option('--json', 'print JSON')
    .action(loaded(async () => (await import('./commands/admin/keys.js')).revokeKey));

  rcpt
    .command('secret-key')
    .description('the key that encrypts stored secrets')
    .command('rotate')
    .description('encrypt with the first key of SECRET_KEY what earlier ones encrypted; can be repeated')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nStart every process with SECRET_KEY=NEW,OLD before. Says when OLD can be removed; docs/operations.md has the steps.' +
        '\nExits with 1 if something cannot be decrypted, or a process still encrypts with an earlier key.',
    )
    .action(loaded(async () => (await import('./commands/admin/secret-key.js')).rotateSecretKey));

  addArchiveCommands(rcpt);

  rcpt
    .command('teams')
    .description('all teams')
    .command('list')
    .description(
      'all teams, oldest first, with their tier, and the ids, addresses and roles of their members',
    )
    .option('--json', 'print JSON')
    .action(loaded(async () => (await import('./commands/admin/teams.js')).listTeams));

  const users = rcpt.command('users').description('the users of all teams');

  users
    .command('list')
    .description('all users, newest first, with the state of their address and their teams')
    .option('--json', 'print JSON')
    .action(loaded(async () => (await import('./commands/admin/users.js')).listUsers));

  users
    .command('confirm <user-id>')
    .description('confirm the address of a user, who then can sign in to the console')
    .option('--json', 'print JSON')
    .action(loaded(async () => (await import('./commands/admin/users.js')).confirmUser));

  users
    .command('address <user-id> <email>')
    .description('give a user another address, such as the owner of the first start, owner@localhost')
    .option('--json', 'print JSON')
    .action(loaded(async () => (await import('./commands/admin/users.js')).changeAddress));

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
    .action(loaded(async () => (await import('./commands/admin/teams.js')).setTier));

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
}
