import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { SCHEMAS } from '../../modules/schema.js';
import { readConfig } from '../../platform/config/config.js';
import { ArchiveRejected } from '../../platform/database/archive/archive-rejected.js';
import type { ArchiveKeys } from '../../platform/database/archive/archive-seal.js';
import {
  DatabaseRestore,
  type RestoreChoices,
  type RestoreSummary,
} from '../../platform/database/archive/database-restore.js';
import { readArchive, validateArchive } from '../../platform/database/archive/read-archive.js';
import { DatabaseNotEmpty } from '../../platform/database/archive/restore-target.js';
import { MaintenanceModule } from '../../platform/database/maintenance/maintenance.module.js';
import { INSTALLATION } from '../../platform/installation/installation.js';
import { withModules } from '../command-context.js';
import { isStandardInput, plural, print, UsageError, type Format } from '../terminal.js';
import { keysOf, type KeyOptions } from './archive-keys.js';
import { writeWholeFile } from './whole-file.js';

interface RestoreOptions extends Format, KeyOptions {
  secretKeyTo?: string;
  lostSecretKey?: true;
  paused?: true;
}

/** What the argument names exists, and cannot be restored. */
class RejectedArchive extends UsageError {
  override readonly isAboutData = true;
}

export async function restoreDatabase(path: string, options: RestoreOptions): Promise<void> {
  const keys = await keysOf(options);
  const source = await ArchiveSource.open(path);
  try {
    if (options.secretKeyTo === undefined) await restore(source, keys, options);
    else await writeSecretKey(source, keys, options.secretKeyTo, options);
  } catch (error) {
    throw refusalOf(error);
  } finally {
    await source.close();
  }
}

async function restore(source: ArchiveSource, keys: ArchiveKeys, options: RestoreOptions): Promise<void> {
  // Before anything is made: a wrong configuration, and what is wrong with a file.
  readConfig();
  if (source.isFile) await validateArchive(source.read(), keys);
  await withModules([MaintenanceModule.forRoot(SCHEMAS)], async (services) => {
    const choices = { isKeyLost: options.lostSecretKey === true, isPaused: options.paused === true };
    const summary = await services(DatabaseRestore).run(readArchive(source.read(), keys), choices);
    const { manifest, rows, secretKey } = summary;
    const { rcpt, created_at, revision } = manifest;
    const json = { rows, rcpt, created_at, revision, secret_key: secretKey, paused: choices.isPaused };
    print(options, json, () => [...sentences(summary), ...pauseSentences(choices)].join('\n'));
  });
}

async function writeSecretKey(
  source: ArchiveSource,
  keys: ArchiveKeys,
  to: string,
  options: Format,
): Promise<void> {
  const { secret_keys: secretKeys } = await validateArchive(source.read(), keys);
  if (secretKeys === undefined)
    throw new UsageError('the archive has no secret key; it was made without --with-secret-key');
  await writeWholeFile(to, async (output) => {
    await new Promise<void>((resolve, reject) => {
      output
        .once('error', reject)
        .once('close', resolve)
        .end(`${secretKeys.join(',')}\n`);
    });
  });
  print(
    options,
    { file: to },
    () => `${to} has the secret key: set SECRET_KEY to what it contains. No database was changed.`,
  );
}

/** Of an archive that cannot be restored, or only with an option or into another database. */
function refusalOf(error: unknown): unknown {
  if (error instanceof DatabaseNotEmpty) return new UsageError(error.message);
  if (!(error instanceof ArchiveRejected)) return error;
  const sentence = `${error.message} Nothing was changed.`;
  return error.fault === 'identity_required' ? new UsageError(sentence) : new RejectedArchive(sentence);
}

function sentences({ manifest, rows, secretKey }: RestoreSummary): string[] {
  const key = {
    used: [],
    restored: ['The secret key of the archive is now in DATA_DIR.'],
    lost: ['No key decrypts what is encrypted: docs/operations.md says what to create again.'],
  }[secretKey];
  return [
    `Restored ${plural(rows, 'row')} of the backup of ${manifest.created_at} (Rcpt ${manifest.rcpt}).`,
    ...key,
  ];
}

function pauseSentences({ isPaused }: RestoreChoices): string[] {
  return isPaused
    ? [`The service is paused: it sends nothing until \`${INSTALLATION.command} resume\`.`]
    : [];
}

/** A file can be read twice: first to validate it. A pipe cannot. */
class ArchiveSource {
  private constructor(
    private readonly file: FileHandle | null,
    readonly isFile: boolean,
  ) {}

  static async open(path: string): Promise<ArchiveSource> {
    if (isStandardInput(path)) return new ArchiveSource(null, false);
    const file = await open(path, 'r');
    const found = await file.stat();
    if (!found.isDirectory()) return new ArchiveSource(file, found.isFile());
    await file.close();
    throw new UsageError(`${path} is a folder; name a file`);
  }

  read(): AsyncIterable<Buffer> {
    if (this.file === null) return process.stdin;
    const start = this.isFile ? { start: 0 } : {};
    return createReadStream('', { fd: this.file, autoClose: false, ...start });
  }

  async close(): Promise<void> {
    await this.file?.close();
  }
}
