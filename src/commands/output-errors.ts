import { fileSentence, isIoError } from './error-sentences.js';
import { EX_IOERR, EX_SOFTWARE } from './exit-codes.js';
import { say } from './terminal.js';

/** Errors of standard output when a command has written all it says. The process would end with 1, a verdict. */
export function reportOutputErrors(program?: string): void {
  process.stdout.on('error', (error: Error) => {
    // A command that writes a file there reports them itself.
    if (process.stdout.listenerCount('error') > 1) return;
    say(fileSentence(error) ?? `standard output: ${error.message}`, program);
    process.exit(isIoError(error) ? EX_IOERR : EX_SOFTWARE);
  });
  process.stderr.on('error', () => undefined);
}
