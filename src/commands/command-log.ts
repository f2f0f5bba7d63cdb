import type { Log } from '../platform/telemetry/log.js';
import { say } from './terminal.js';

/**
 * The log of a command: errors as sentences on standard error, each once. A command is for people and
 * scripts that read its result; JSON lines are for the log of a service.
 */
export class CommandLog implements Log {
  private readonly printed = new Set<string>();

  readonly debug = () => undefined;
  readonly info = () => undefined;
  readonly warn = () => undefined;

  readonly error = (fields: Record<string, unknown>, message: string): void => {
    const details = Object.entries(fields).map(([name, value]) => `${name}: ${textOf(value)}`);
    const line = `${message}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
    if (this.printed.has(line)) return;
    this.printed.add(line);
    say(line);
  };
}

/** An error is described by its name and its first frame (`describeError`). */
function textOf(value: unknown): string {
  const { name, frames } = (value ?? {}) as { name?: string; frames?: string[] };
  return name === undefined ? String(value) : [name, ...(frames?.slice(0, 1) ?? [])].join(' ');
}
