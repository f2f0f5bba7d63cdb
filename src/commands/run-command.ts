import { CommanderError, type Command } from 'commander';
import { DomainError } from '../kernel/errors.js';
import { connectionSentence, fileSentence, isIoError } from './error-sentences.js';
import { EX_CONFIG, EX_DATAERR, EX_IOERR, EX_SOFTWARE, EX_TEMPFAIL, EX_USAGE } from './exit-codes.js';
import { inCommandTerms, MALFORMED_LIST, say, TemporaryFailure, UsageError } from './terminal.js';

/** Statuses of errors caused by the arguments, not by the state of the service. */
const USAGE_ERRORS: readonly number[] = [400, 404, 409];

function isUsage(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof DomainError && USAGE_ERRORS.includes(error.status));
}

/** A list that cannot be read, here or by the service. */
function isData(error: unknown): boolean {
  if (error instanceof UsageError) return error.isAboutData;
  return error instanceof DomainError && error.definition.code === MALFORMED_LIST;
}

function messageOf(error: unknown): string {
  return inCommandTerms(error instanceof Error ? error.message : String(error));
}

/** @returns the exit code; null: the command has set it. */
export async function runCommand(command: Command, args: readonly string[]): Promise<number | null> {
  try {
    await command.parseAsync(args, { from: 'user' });
    return null;
  } catch (thrown) {
    const isTemporary = thrown instanceof TemporaryFailure;
    const error = isTemporary ? thrown.cause : thrown;
    // commander has already printed the error, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EX_USAGE;
    const file = fileSentence(error);
    say(file ?? connectionSentence(error) ?? messageOf(error), command.name());
    if (isTemporary) return EX_TEMPFAIL;
    if (isIoError(error)) return EX_IOERR;
    if (isData(error)) return EX_DATAERR;
    if (file !== null || isUsage(error)) return EX_USAGE;
    // Loaded with every command that can throw it, and not for `--help`.
    const { ConfigError } = await import('../platform/config/config.js');
    return error instanceof ConfigError ? EX_CONFIG : EX_SOFTWARE;
  }
}
