#!/usr/bin/env node
import { Command } from 'commander';
import { CommandLog } from './commands/command-log.js';
import { reportOutputErrors } from './commands/output-errors.js';
import { runCommand } from './commands/run-command.js';
import { loaded } from './commands/terminal.js';
import { describeVerify } from './commands/verify/verify-options.js';
import type { VerifyFlags } from './commands/verify/verify.js';
import { describeOption } from './describe-option.js';
import { version } from './platform/telemetry/version.js';

/** The only command of `@rcpt/engine`: `rcpt verify` without the variables of the service. */

const PROGRAM = 'rcpt-verify';

const program = new Command(PROGRAM)
  .version(version(new URL('../package.json', import.meta.url)), '--version', 'print the version')
  .configureHelp({ optionDescription: describeOption })
  .exitOverride();

describeVerify(program).action(
  loaded(async () => {
    const { printVerdict } = await import('./commands/verify/verify.js');
    const { ENGINE_SETTINGS } = await import('./engine/library/engine-config.js');
    const { readConfigOf } = await import('./platform/config/config.js');
    return (email: string, flags: VerifyFlags) =>
      printVerdict(email, flags, readConfigOf(ENGINE_SETTINGS), new CommandLog(PROGRAM));
  }),
);

reportOutputErrors(PROGRAM);
const code = await runCommand(program, process.argv.slice(2));
if (code !== null) process.exit(code);
