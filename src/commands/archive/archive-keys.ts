import { append } from '../../kernel/long-lists.js';
import { open } from 'node:fs/promises';
import {
  identitiesIn,
  isRecipient,
  type ArchiveKeys,
  type ArchiveSeal,
} from '../../platform/database/archive/archive-seal.js';
import { UsageError } from '../terminal.js';
import { hasPassphrase, passphraseOf, type PassphraseOptions } from './passphrase.js';

export interface SealOptions extends PassphraseOptions {
  encrypt?: true;
  withSecretKey?: true;
  recipient?: string[];
}

export interface KeyOptions extends PassphraseOptions {
  identity?: string[];
}

/** Of a file with some hundred keys. */
const MAX_IDENTITY_BYTES = 65_536;

/** How a new archive is encrypted. @throws UsageError */
export async function sealOf(options: SealOptions): Promise<ArchiveSeal> {
  const { recipient: recipients = [], encrypt = false, withSecretKey = false } = options;
  if (recipients.length > 0) {
    if (hasPassphrase(options))
      throw new UsageError(
        '--recipient and a passphrase (RCPT_PASSPHRASE, --passphrase-file) exclude each other: an archive has one or the other',
      );
    // It is not repeated: it may be a private key.
    if (!recipients.every(isRecipient))
      throw new UsageError(
        'a --recipient is no public key of `age-keygen`: these begin with age1 and have 62 characters',
      );
    return { recipients };
  }
  if (!encrypt && !withSecretKey && !hasPassphrase(options)) return null;
  return { passphrase: await passphraseOf(options, true) };
}

/** What can decrypt an archive. @throws UsageError */
export async function keysOf(options: KeyOptions): Promise<ArchiveKeys> {
  const { identity: paths = [] } = options;
  if (paths.length > 0 && hasPassphrase(options))
    throw new UsageError(
      '--identity and a passphrase (RCPT_PASSPHRASE, --passphrase-file) exclude each other: an archive has one or the other',
    );
  const identities: string[] = [];
  for (const path of paths) append(identities, await readIdentities(path));
  let asked: Promise<string> | null = null;
  return {
    identities,
    isGiven: identities.length > 0 || hasPassphrase(options),
    passphrase: () => (asked ??= passphraseOf(options, false)),
  };
}

async function readIdentities(path: string): Promise<string[]> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_IDENTITY_BYTES));
    const text = buffer.toString('utf8', 0, bytesRead);
    if (text.startsWith('age-encryption.org/'))
      throw new UsageError(`${path} is encrypted: decrypt it with \`age -d\` first`);
    const identities = identitiesIn(text);
    if (identities === null)
      throw new UsageError(
        `${path} has no key: a file of \`age-keygen\` has lines that begin with AGE-SECRET-KEY-`,
      );
    return identities;
  } finally {
    await file.close();
  }
}
