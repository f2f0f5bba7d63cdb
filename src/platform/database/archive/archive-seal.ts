import { Decrypter, Encrypter } from 'age-encryption';
import { ArchiveRejected, cutOff, damaged, notAnArchive } from './archive-rejected.js';

/** The encryption of an archive is the format of age (https://c2sp.org/age), which the program `age` opens too. */

/** Who can decrypt a new archive. null: it is not encrypted. */
export type ArchiveSeal = { passphrase: string } | { recipients: readonly string[] } | null;

/** What decrypts an archive. */
export interface ArchiveKeys {
  /** Private keys of recipients. */
  identities: readonly string[];
  /** Whether a passphrase or an identity was given: then an archive that is not encrypted is another one. */
  isGiven: boolean;
  /** Asked for when the archive is encrypted with one. */
  passphrase: () => Promise<string>;
}

const GZIP = Buffer.from([0x1f, 0x8b]);
const AGE = Buffer.from('age-encryption.org/v1\n');
/** Of some hundred recipients. */
const MAX_HEADER_BYTES = 65_536;
/** The line before the payload. */
const HEADER_END = /^--- .*\n/m;
const STANZA = /^-> (\S+)(?: \S+)?(?: (\S+))?/gm;
/** Of age itself: 256 MB and about a second. A header may ask for any other. */
const MAX_WORK_FACTOR = 18;

/** Whether this is a public key of X25519, which every version of age knows. */
export function isRecipient(text: string): boolean {
  return /^age1[a-z0-9]{58}$/.test(text) && isAccepted(() => new Encrypter().addRecipient(text));
}

/** The keys in a file of `age-keygen`. @returns null: it has something else. */
export function identitiesIn(text: string): string[] | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const isValid = identities.every((line) => isAccepted(() => new Decrypter().addIdentity(line)));
  return isValid && identities.length > 0 ? identities : null;
}

/** Encrypts the content, or leaves it as it is. */
export async function* sealed(content: AsyncIterable<Buffer>, seal: ArchiveSeal): AsyncGenerator<Buffer> {
  if (seal === null) {
    yield* content;
    return;
  }
  const encrypter = new Encrypter();
  if ('passphrase' in seal) encrypter.setPassphrase(seal.passphrase);
  else for (const recipient of seal.recipients) encrypter.addRecipient(recipient);
  const encrypted = await encrypter.encrypt(streamOf(content));
  for await (const part of encrypted) yield bufferOf(part);
}

/**
 * What was sealed. What is yielded is as it was sealed; only the end shows that it is complete.
 *
 * @throws ArchiveRejected
 */
export async function* opened(archive: AsyncIterable<Buffer>, keys: ArchiveKeys): AsyncGenerator<Buffer> {
  const source = new Start(archive);
  try {
    const start = await source.upTo((found) => found.length >= AGE.length, AGE.length);
    if (start.length === 0) throw cutOff();
    if (start.subarray(0, GZIP.length).equals(GZIP)) {
      if (keys.isGiven) throw notEncrypted();
      yield* source.all();
      return;
    }
    if (!start.subarray(0, AGE.length).equals(AGE.subarray(0, start.length))) throw notAnArchive();
    yield* decrypted(source, keys);
  } finally {
    await source.close();
  }
}

async function* decrypted(source: Start, keys: ArchiveKeys): AsyncGenerator<Buffer> {
  const isWhole = (found: Buffer) => HEADER_END.test(found.toString('latin1'));
  const header = (await source.upTo(isWhole, MAX_HEADER_BYTES)).toString('latin1');
  const end = HEADER_END.exec(header);
  if (end === null) throw header.length < MAX_HEADER_BYTES ? cutOff() : damagedHeader();
  const decrypter = new Decrypter();
  const recipients = [...header.slice(0, end.index).matchAll(STANZA)];
  const scrypt = recipients.find(([, type]) => type === 'scrypt');
  if (scrypt !== undefined) {
    if (!(Number(scrypt[2]) <= MAX_WORK_FACTOR)) throw tooMuchWork();
    if (keys.identities.length > 0) throw anotherKey('it is encrypted with a passphrase');
    decrypter.addPassphrase(await keys.passphrase());
  } else {
    if (keys.identities.length === 0) throw identityMissing(keys.isGiven);
    for (const identity of keys.identities) decrypter.addIdentity(identity);
  }
  const content = await decrypter.decrypt(streamOf(source.all())).catch((error: unknown) => {
    if (!isOfLibrary(error)) throw error;
    if (/no identity matched/.test(error.message)) throw anotherKey('the key or passphrase is another one');
    throw /stream ended/.test(error.message) ? cutOff() : damagedHeader();
  });
  const parts = content[Symbol.asyncIterator]();
  try {
    for (let next; (next = await parts.next()).done !== true;) yield bufferOf(next.value);
  } catch (error) {
    if (!isOfLibrary(error)) throw error;
    throw source.isRead ? cutOff() : damaged('a part of it was changed');
  } finally {
    await parts.return?.().catch(() => undefined);
  }
}

/** The start of a source is looked at, and then read again with the rest. */
class Start {
  /** Whether the source has ended. */
  isRead = false;
  private readonly parts: AsyncIterator<Buffer>;
  private start = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.parts = source[Symbol.asyncIterator]();
  }

  /** What there is until it is enough, has this length, or the source ends. */
  async upTo(isEnough: (found: Buffer) => boolean, length: number): Promise<Buffer> {
    while (!isEnough(this.start) && this.start.length < length) {
      const next = await this.next();
      if (next === null) break;
      this.start = Buffer.concat([this.start, next]);
    }
    return this.start;
  }

  async *all(): AsyncGenerator<Buffer> {
    yield this.start;
    for (let next; (next = await this.next()) !== null;) yield next;
  }

  async close(): Promise<void> {
    await this.parts.return?.();
  }

  private async next(): Promise<Buffer | null> {
    const next = await this.parts.next();
    this.isRead = next.done === true;
    return next.done === true ? null : next.value;
  }
}

function notEncrypted(): ArchiveRejected {
  return new ArchiveRejected(
    'not_encrypted',
    'The archive is not encrypted, and a passphrase or an identity was given: it is not the one that you have encrypted. ' +
      'If you trust it, restore it without them (RCPT_PASSPHRASE, --passphrase-file, --identity).',
  );
}

function identityMissing(hasPassphrase: boolean): ArchiveRejected {
  if (hasPassphrase) return anotherKey('it is encrypted for recipients; name the key of one with --identity');
  return new ArchiveRejected(
    'identity_required',
    'The archive is encrypted for recipients: name the file with the key of one of them with --identity.',
  );
}

function anotherKey(why: string): ArchiveRejected {
  return new ArchiveRejected(
    'wrong_key',
    `The passphrase is wrong, or the key is not that of a recipient: ${why}.`,
  );
}

function damagedHeader(): ArchiveRejected {
  return damaged('its header was changed');
}

function tooMuchWork(): ArchiveRejected {
  return damaged(`it asks for more work than scrypt with the factor ${MAX_WORK_FACTOR}, which age uses`);
}

/** It throws plain errors; those of the source have a class or a code. */
function isOfLibrary(error: unknown): error is Error {
  return error instanceof Error && error.constructor === Error && !('code' in error);
}

function isAccepted(add: () => void): boolean {
  try {
    add();
    return true;
  } catch {
    return false;
  }
}

function streamOf(source: AsyncIterable<Buffer>): ReadableStream<Uint8Array> {
  return ReadableStream.from(source);
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
