import { printableJson, printableLines } from '../kernel/text/printable.js';

/** The arguments are valid but refer to something that does not exist. */
export class UsageError extends Error {
  /** What the arguments name exists, and cannot be read. */
  readonly isAboutData: boolean = false;
}

/** The code of the error for a list that cannot be read. */
export const MALFORMED_LIST = 'malformed_list';

/** A failure after which a mail server keeps the message, and runs the command again. */
export class TemporaryFailure extends Error {
  constructor(cause: unknown) {
    super('The command can be run again', { cause });
  }
}

/** The code of a command is loaded when it runs: `rcpt --help` needs none of it. */
export function loaded<Args extends unknown[]>(load: () => Promise<(...args: Args) => Promise<void>>) {
  return async (...args: Args): Promise<void> => (await load())(...args);
}

/** Whether an argument names standard input instead of a file. */
export function isStandardInput(input: string): boolean {
  return input === '-';
}

export interface Format {
  json?: true;
}

export function print(
  { json }: Format,
  value: unknown,
  text: () => string,
  stream: NodeJS.WritableStream = process.stdout,
): void {
  stream.write(`${json === true ? printableJson(value) : printableLines(text())}\n`);
}

/** On standard error. The sentence may contain what a service or a list says. */
export function say(sentence: string, program = 'rcpt'): void {
  process.stderr.write(`${program}: ${printableLines(sentence)}\n`);
}

/** `1 row`, `2 rows`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Parameters of the API and their options. */
const OPTIONS: Readonly<Record<string, string>> = {
  email_column: '--column',
  header: '--header',
  header_line: '--header-line',
  delimiter: '--delimiter',
};

/**
 * A message of the API in terms of the command line: parameters are options, and a JSON pointer to an entry
 * of a list (RFC 6901, from 0) is the number of its row.
 */
export function inCommandTerms(message: string): string {
  return message
    .replace(/(?<=^|\s)\/(\d+)(?=[:/])/g, (_, index: string) => `row ${Number(index) + 1}`)
    .replace(/(?<=^|\s)\/(\w+)(?=:)/g, (pointer, name: string) => OPTIONS[name] ?? pointer)
    .replace(/\bemail_column\b/g, '--column')
    .replace(/\bwith (encoding|delimiter)\b/g, 'with --$1')
    .replace(/\bWith quotes=false\b/g, 'With --no-quotes')
    .replace(/\bWith extract_address=true\b/g, 'With --extract-address')
    .replace(/\bSend it with Content-Encoding: gzip\./g, 'Unpack it first.')
    .replace(/^The body: /, '');
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `end` when a signal ends the process, which then ends by that signal, so that a shell sees it.
 *
 * @param end must be synchronous.
 * @returns stops waiting for signals.
 */
export function onInterruption(end: () => void): () => void {
  const handle = (signal: NodeJS.Signals) => {
    release();
    end();
    process.kill(process.pid, signal);
  };
  const release = () => {
    for (const signal of SIGNALS) process.off(signal, handle);
  };
  for (const signal of SIGNALS) process.on(signal, handle);
  return release;
}
