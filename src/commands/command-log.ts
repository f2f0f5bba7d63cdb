import type { Log } from '../platform/telemetry/log.js';
import { withDetails } from '../platform/telemetry/log-text.js';
import { say } from './terminal.js';

/**
 * The log of a command: errors as sentences on standard error, each once. A command is for people and
 * scripts that read its result; JSON lines are for the log of a service.
 */
export class CommandLog implements Log {
  private readonly printed = new Set<string>();

  constructor(private readonly program?: string) {}

  readonly debug = () => undefined;
  readonly info = () => undefined;
  readonly warn = () => undefined;

  readonly error = (fields: Record<string, unknown>, message: string): void => {
    const line = withDetails(message, fields);
    if (this.printed.has(line)) return;
    this.printed.add(line);
    say(line, this.program);
  };
}
