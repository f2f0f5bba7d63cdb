import { printable } from '../../kernel/text/printable.js';
import type { ErrorFields } from './log.js';

type Fields = Readonly<Record<string, unknown>>;

/** Names of pino for levels, without those of ordinary lines. */
const MARKS: Readonly<Record<string, string>> = {
  debug: 'debug: ',
  warn: 'warning: ',
  error: 'error: ',
};

/** A line of the log for a person, with the local time, from a JSON line that the log wrote, and redacted. */
export function textLine(json: string): string {
  const { level, time, msg, ...fields } = JSON.parse(json) as Fields & {
    level: string;
    time: string;
    msg: string;
  };
  const clock = new Date(time).toTimeString().slice(0, 8);
  const sentence = msg === 'request' ? requestSentence(fields) : withDetails(msg, fields);
  return `${clock} ${MARKS[level] ?? ''}${printable(sentence)}\n`;
}

/** The message, and in brackets what belongs to it. */
export function withDetails(message: string, fields: Fields): string {
  const details = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}: ${textOf(value)}`);
  return details.length === 0 ? message : `${message} (${details.join(', ')})`;
}

function requestSentence({ method, route, status, duration_ms, ...rest }: Fields): string {
  const sentence = `${textOf(method)} ${textOf(route ?? 'an unknown path')}: ${textOf(status)} in ${textOf(duration_ms)} ms`;
  return withDetails(sentence, rest);
}

/** An error is described by its name, its code in words, and its first frame (`describeError`). */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { name, code, condition, frames } = value as Partial<ErrorFields>;
  if (name === undefined) return JSON.stringify(value);
  const reason = condition === undefined ? code : `${code} (${condition})`;
  return [name, reason, frames?.[0]].filter((part) => part !== undefined).join(' ');
}
