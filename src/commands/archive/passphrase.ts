import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ReadStream } from 'node:tty';
import { readArchivePassphrase } from '../../platform/config/service-access.js';
import { UsageError } from '../terminal.js';

/** Where a passphrase may come from; never from an argument, which every user of the machine can read. */
export interface PassphraseOptions {
  passphraseFile?: string;
}

const MAX_LENGTH = 1_024;

/** Whether one is given without a question. */
export function hasPassphrase({ passphraseFile }: PassphraseOptions): boolean {
  return passphraseFile !== undefined || readArchivePassphrase() !== null;
}

/** @param isNew asks twice. @throws UsageError */
export async function passphraseOf({ passphraseFile }: PassphraseOptions, isNew: boolean): Promise<string> {
  if (passphraseFile !== undefined) return checked(firstLine(await readFile(passphraseFile, 'utf8')));
  const given = readArchivePassphrase();
  if (given !== null) return checked(given);
  const passphrase = checked(await ask('Passphrase of the archive: '));
  if (isNew && (await ask('The same again: ')) !== passphrase)
    throw new UsageError('the two passphrases are different; nothing was written');
  return passphrase;
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}

function checked(passphrase: string): string {
  if (passphrase === '') throw new UsageError('the passphrase is empty');
  if (passphrase.length > MAX_LENGTH)
    throw new UsageError(`the passphrase is longer than ${MAX_LENGTH} characters`);
  return passphrase;
}

/** Standard input may be the archive: the question is asked at the terminal. It does not echo. */
async function ask(question: string): Promise<string> {
  const input = terminal();
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silence, terminal: true });
  // The terminal does not echo from here on.
  process.stderr.write(question);
  try {
    const closed = new Promise<never>((_, reject) => {
      lines.once('SIGINT', () => reject(new UsageError('no passphrase was given')));
      lines.once('close', () => reject(new UsageError('no passphrase was given')));
    });
    return await Promise.race([lines.question(''), closed]);
  } finally {
    lines.close();
    process.stderr.write('\n');
    if (input !== process.stdin) input.destroy();
    else input.pause();
  }
}

function terminal(): ReadStream {
  if (process.stdin.isTTY) return process.stdin;
  try {
    return new ReadStream(openSync('/dev/tty', 'r'));
  } catch {
    throw new UsageError(
      'a passphrase is needed, and there is no terminal to ask: set RCPT_PASSPHRASE, or name a file with --passphrase-file',
    );
  }
}
