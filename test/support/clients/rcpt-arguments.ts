import type { Command } from 'commander';
import { rcpt } from '../../../src/cli.js';

/** Placeholders of options, and values that they accept. */
const VALUES: Readonly<Record<string, string>> = {
  N: '1',
  SECONDS: '60',
  T: '2026-01-31',
  A: 'key.created',
  'HOST:PORT': '127.0.0.1:1080',
};

/** The words after `rcpt`; null: another program. */
export function argumentsIn(words: readonly string[]): string[] | null {
  const script = words.findIndex((word) => /(?:^|\/)bin\/rcpt\.js$/.test(word));
  if (script > 0 && words[script - 1] === 'node') return words.slice(script + 1);
  if (words[0] === 'rcpt') return words.slice(1);
  return words.slice(0, 3).join(' ') === 'npx --no rcpt' ? words.slice(3) : null;
}

/** What the command line would say of these arguments; null: nothing. Nothing is run. */
export function refusal(args: readonly string[]): string | null {
  // Optional arguments are in brackets.
  const words = args.map((word) => word.replaceAll(/[[\])]/g, '')).map((word) => VALUES[word] ?? word);
  const isHelp = words[0] === 'help';
  if (isHelp) words.shift();
  let command: Command = rcpt;
  for (let next; (next = command.commands.find((one) => one.name() === words[0])); words.shift())
    command = next;
  if (command.commands.length > 0 && words.length > 0) return `no command ${words[0]}`;
  if (isHelp) return null;
  // Later tests of this process run the same command: it must not keep these options.
  const before = { ...command.opts() };
  try {
    const { operands, unknown } = command.parseOptions([...words]);
    if (unknown.length > 0) return `no option ${unknown[0]}`;
    const takes = command.registeredArguments;
    const needed = takes.filter(({ required }) => required).length;
    const most = takes.some(({ variadic }) => variadic) ? Infinity : takes.length;
    return operands.length < needed || operands.length > most ? `${operands.length} arguments` : null;
  } catch (error) {
    return String(error);
  } finally {
    for (const name of Object.keys(command.opts())) command.setOptionValue(name, before[name]);
  }
}
