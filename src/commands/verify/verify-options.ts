import type { Command } from 'commander';
import { seconds } from '../arguments.js';

/** The same for `rcpt verify` and `rcpt-verify`. */
export function describeVerify(command: Command): Command {
  return command
    .argument('<email>')
    .description('verify an address with DNS and SMTP; needs no service and no database')
    .option('--json', 'print the verdict as JSON, as the API returns it')
    .option('--timeout <seconds>', 'timeout in seconds, 1–30', seconds, 10)
    .addHelpText('after', '\nExits with 0 deliverable, 1 undeliverable, 2 risky, 3 unknown.');
}
