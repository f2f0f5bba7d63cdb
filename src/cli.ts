import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { createAccount, migrateDatabase, UsageError, verifyAddress } from './commands.js';

/** The `rcpt` command line: each command is one line here and one function in `commands.ts`. */

/** Codes of sysexits.h: above those that `verify` answers with. */
const EX_USAGE = 64;
const EX_SOFTWARE = 70;

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
  .action(verifyAddress);

rcpt.command('migrate').description('bring the database up to date').option('--json').action(migrateDatabase);

rcpt
  .command('account')
  .description('accounts')
  .command('create')
  .description('make a team with its owner, a live key and a test key')
  .requiredOption('--email <email>', 'the owner’s address')
  .option('--team <name>', 'the team’s name', 'My team')
  .option('--tier <tier>', 'its tier', 'unlimited')
  .option('--json', 'print JSON')
  .action(createAccount);

function seconds(text: string): number {
  const value = Number(text);
  if (!(value >= 1 && value <= 30)) throw new InvalidArgumentError('It must be a number from 1 to 30.');
  return value;
}

try {
  await rcpt.parseAsync();
} catch (error) {
  // The library has already said what is wrong, or shown the help that was asked for.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : EX_USAGE);
  process.stderr.write(`rcpt: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof UsageError ? EX_USAGE : EX_SOFTWARE);
}
