import { Command, Option } from 'commander';
import {
  delimiter,
  hostAndPort,
  lineNumber,
  maxAgeSeconds,
  portNumber,
  statuses,
} from './commands/arguments.js';
import { runCommand } from './commands/run-command.js';
import { loaded } from './commands/terminal.js';
import { describeVerify } from './commands/verify/verify-options.js';
import { describeOption } from './describe-option.js';
import { ENCODINGS, UNIQUE_BY } from './kernel/list-files/list-format.js';
import { SMTP_STAGES, STATUSES } from './kernel/verdict.js';
import { addOperatorCommands } from './operator-commands.js';
import { version } from './platform/telemetry/version.js';

/** The `rcpt` command line: each command is one entry here and one function in another file. */

export const rcpt = new Command('rcpt')
  .description('Email-address verification that you run yourself')
  .version(version(), '--version', 'print the version')
  .configureHelp({ showGlobalOptions: true, optionDescription: describeOption })
  .exitOverride();

rcpt
  .command('start')
  .description(
    'start the service: API, console and background work; without DATABASE_URL with its own database',
  )
  .option('--api', 'only the API')
  .option('--worker', 'only the background work')
  .option('--paused', 'send nothing to other systems until `rcpt resume`')
  .option('--port <port>', 'the port of the API (or PORT); default: 3000', portNumber)
  .option('--host <address>', 'the address to listen on (or HOST); 0.0.0.0: all of this machine')
  .addHelpText(
    'after',
    '\nOther settings are environment variables. The first start prints two keys and a link to the console.' +
      '\nExits with 0 after a signal, 78 if the configuration is not valid, and else with 1.',
  )
  .action(loaded(async () => (await import('./run-service.js')).runService));

describeVerify(rcpt.command('verify')).action(
  loaded(async () => (await import('./commands/verify/verify.js')).verifyAddress),
);

rcpt
  .command('domain <name>')
  .description(
    'what a domain says about its mail: servers, SPF, DMARC, MTA-STS, lists; contacts no mail server',
  )
  .option(
    '--url <url>',
    'a running service (or RCPT_URL, with the key in RCPT_API_KEY); default: look up locally',
  )
  .option('--json', 'print JSON, as the API returns it')
  .action(loaded(async () => (await import('./commands/verify/domain.js')).printDomain));

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
  .option('--finish', 'with a service: complete deferred rows with what is known when no others are left')
  .option('--refresh', 'probe mail servers even if the service has a stored result')
  .option(
    '--max-age <seconds>',
    'with a service: use no stored result that is older; 0 is the same as --refresh',
    maxAgeSeconds,
  )
  .addOption(
    new Option(
      '--unique <key>',
      'what is verified once: address (default), or canonical: a mailbox, in all spellings of its provider',
    ).choices(UNIQUE_BY),
  )
  .option('--column <name|number>', 'the column with the addresses; default: it is detected')
  .option('--header', 'a row names the columns; default: it is detected')
  .option('--no-header', 'the first row is data')
  .option(
    '--header-line <number>',
    'the line that names the columns; lines before it are left out',
    lineNumber,
  )
  .option(
    '--delimiter <character>',
    'the character between cells, or tab; default: comma, semicolon, tab or vertical bar',
    delimiter,
  )
  .option('--no-quotes', 'quotation marks enclose no cells')
  .option(
    '--extract-address',
    'verify the first address of a cell that has more, such as Jane <jane@example.com>',
  )
  .addOption(
    new Option('--encoding <name>', 'encoding of the list; default: it is detected').choices(ENCODINGS),
  )
  .option('--only <statuses>', `write only rows with these: ${STATUSES.join(',')}`, statuses)
  .option('--no-formula-guard', 'leave cells as they are that a spreadsheet would run as a formula')
  .option('--dry-run', 'print what the list contains: nothing is charged, and no mail server is asked')
  .option('--json', 'print the summary as JSON')
  .addHelpText(
    'after',
    '\nAfter an interruption, run the same command again to resume; this needs an output file.' +
      '\nExits with 0, or 65 if the list cannot be read. A list without rows gives an output with a header.',
  )
  .action(loaded(async () => (await import('./commands/bulk/bulk.js')).verifyList));

rcpt
  .command('outcomes')
  .description('what became of mails: bounces, deliveries, complaints')
  .command('import [file]')
  .description(
    'send outcomes to a service: CSV, NDJSON, messages (.eml), an mbox, a Maildir or a directory with such files; - is standard input',
  )
  .option(
    '--postfix-log <file>',
    'instead of <file>: the log of Postfix, whose deliveries and bounces are sent; - is standard input, also from journalctl -o short-iso',
  )
  .option('--follow', 'with --postfix-log: wait for further lines, also after the log is rotated')
  .option(
    '--state <file>',
    'with --postfix-log: store the place in the log, and go on from there; default with --follow: a file in ~/.local/state/rcpt',
  )
  .option('--url <url>', 'the service (or RCPT_URL); RCPT_API_KEY is a live secret key')
  .option('--json', 'print the sums as JSON')
  .addHelpText(
    'after',
    '\nMessages are delivery reports and complaints as they arrived. What was sent before counts once.' +
      '\nExits with 0, or 65 if no row of a list can be used. With standard input a failure is 75, so that a mail' +
      '\nserver keeps the message and tries again.',
  )
  .action(loaded(async () => (await import('./commands/outcomes/import.js')).importOutcomes));

rcpt
  .command('doctor')
  .description('check whether mail servers can be reached from here, and explain how to fix problems')
  .option('--offline', 'run only the checks of the database and the queue')
  .option(
    '--egress-ip <address...>',
    'the public addresses, when this machine cannot determine them; with several egresses NAME=ADDRESS',
  )
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nExits with 1 when a check fails, and with 3 when none fails and one could not be run.',
  )
  .action(loaded(async () => (await import('./commands/doctor.js')).runDoctor));

rcpt
  .command('egress')
  .description('be the way out to mail servers for an installation whose own port 25 is blocked')
  .addOption(
    new Option('--listen <host:port>', 'where the installation connects to')
      .argParser(hostAndPort)
      .default({ host: '0.0.0.0', port: 1080 }, '0.0.0.0:1080'),
  )
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
    new Option('--stage <stage>', 'the command that the reply is for').choices(SMTP_STAGES).default('rcpt'),
  )
  .option('--provider <name>', 'the mail provider, as in dns.provider of a verdict')
  .option('--recipient <email>', 'the recipient, if the reply repeats the address')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/verify/explain.js')).explain));

rcpt
  .command('mcp')
  .description('serve the Model Context Protocol on standard input and output, for AI assistants')
  .option(
    '--url <url>',
    'a running service (or RCPT_URL, with the key in RCPT_API_KEY); default: verify locally',
  )
  .addHelpText('after', '\ndocs/mcp.md has the lines for common clients.')
  .action(loaded(async () => (await import('./commands/mcp/mcp.js')).runMcp));

rcpt
  .command('accuracy')
  .description('show how verdicts of a running service compare with what became of the mails')
  .option('--url <url>', 'the service (or RCPT_URL), with the key in RCPT_API_KEY')
  .option('--days <days>', 'days up to now, 1–365', '90')
  .option('--json', 'print the response of GET /v1/accuracy')
  .action(loaded(async () => (await import('./commands/accuracy.js')).showAccuracy));

const policy = rcpt.command('policy').description('the rules by which a team decides about addresses');
const POLICY_URL = 'the service (or RCPT_URL), with the key in RCPT_API_KEY';
policy
  .command('get')
  .description('print the rules as JSON, as set takes them')
  .option('--url <url>', POLICY_URL)
  .action(loaded(async () => (await import('./commands/policy.js')).printPolicy));
policy
  .command('set <file>')
  .description('replace the rules by those of a JSON file; - is standard input')
  .option('--url <url>', POLICY_URL)
  .option('--json', 'print the rules, with their ids')
  .addHelpText('after', '\nThe file is {"rules": […]}, as get prints it. The key is a live one of an admin.')
  .action(loaded(async () => (await import('./commands/policy.js')).replacePolicy));
policy
  .command('preview <file>')
  .description('show what the rules of a JSON file would change in stored verdicts; - is standard input')
  .option('--url <url>', POLICY_URL)
  .option('--days <days>', 'lists of the last days, 1–30', '7')
  .option('--json', 'print the response of POST /v1/policy/preview')
  .action(loaded(async () => (await import('./commands/policy.js')).previewPolicy));

rcpt
  .command('migrate')
  .description('run database migrations')
  .option('--create', 'make the embedded database if there is none in DATA_DIR')
  .option('--json', 'print JSON')
  .action(loaded(async () => (await import('./commands/admin/migrate.js')).migrateDatabase));

addOperatorCommands(rcpt);

/** `help` of commander takes one word only. Words that are no command are reported as without `help`. */
function withHelpOption(args: readonly string[]): readonly string[] {
  const [first, ...words] = args;
  if (first !== 'help') return args;
  let command: Command | undefined = rcpt;
  for (const word of words) command = command?.commands.find((each) => each.name() === word);
  return command === undefined ? words : [...words, '--help'];
}

/** @returns the exit code; null: the command has set it. */
export const run = (args: readonly string[]): Promise<number | null> =>
  runCommand(rcpt, withHelpOption(args));
