import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { rcpt } from '../../../src/cli.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const EX_USAGE = 64;

/** The words of each command, from `rcpt` alone to the last subcommand. */
function commandsBelow(command: Command, words: readonly string[] = []): string[] {
  return [
    words.join(' '),
    ...command.commands.flatMap((subcommand) => commandsBelow(subcommand, [...words, subcommand.name()])),
  ];
}
const COMMANDS = commandsBelow(rcpt);
const wordsOf = (command: string) => command.split(' ').filter((word) => word !== '');

describe('rcpt', () => {
  it('has these commands', () => {
    expect(COMMANDS).toEqual(
      expect.arrayContaining(['', 'verify', 'bulk', 'doctor', 'keys create', 'users erase']),
    );
  });

  it.each(COMMANDS)('%s --help exits with 0 and describes every argument and option', async (command) => {
    const { code, out, err } = await runRcpt([...wordsOf(command), '--help'], {});
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^Usage: rcpt/);
    expect(out).not.toMatch(/^ +--json *$/m);
  });

  it.each(COMMANDS)('help %s prints the help of that command', async (command) => {
    const { code, out, err } = await runRcpt(['help', ...wordsOf(command)], {});
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`^Usage: rcpt ${command}`));
  });

  it('marks required options, and shows defaults and choices as they are written in a command', async () => {
    const { out } = await runRcpt(['keys', 'create', '--help'], {});
    expect(out).toMatch(/--team <id> .*\(required\)/);
    expect(out).toMatch(/--mode <mode> .*\(one of live, test; default: +live\)/);
    expect(out).not.toMatch(/--user .*required/);
    expect((await runRcpt(['egress', '--help'], {})).out).toMatch(/\(default:\s+0\.0\.0\.0:1080\)/);
    for (const command of COMMANDS)
      expect((await runRcpt([...wordsOf(command), '--help'], {})).out).not.toMatch(/default: [{"[]/);
  });

  it('--version prints the version of the package', async () => {
    const manifest = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    expect(await runRcpt(['--version'], {})).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it.each(['verfy', 'keys lst', 'help verfy', 'verify', 'verify a@example.com --josn'])(
    '%s exits with 64 and a sentence',
    async (command) => {
      const { code, out, err } = await runRcpt(wordsOf(command), {});
      expect([code, out]).toEqual([EX_USAGE, '']);
      expect(err).toMatch(/^error: (unknown|missing|too many)/);
    },
  );
});
