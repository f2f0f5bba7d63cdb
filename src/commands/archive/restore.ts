import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { SCHEMAS } from '../../modules/schema.js';
import { readConfig } from '../../platform/config/config.js';
import { ArchiveRejected } from '../../platform/database/archive/archive-rejected.js';
import { DatabaseRestore, type RestoreSummary } from '../../platform/database/archive/database-restore.js';
import { readArchive, validateArchive } from '../../platform/database/archive/read-archive.js';
import { DatabaseNotEmpty } from '../../platform/database/archive/restore-target.js';
import { MaintenanceModule } from '../../platform/database/maintenance/maintenance.module.js';
import { withModules } from '../command-context.js';
import { isStandardInput, plural, print, UsageError, type Format } from '../terminal.js';
import { passphraseOf, type PassphraseOptions } from './passphrase.js';
import { writeWholeFile } from './whole-file.js';

interface RestoreOptions extends Format, PassphraseOptions {
  secretKeyTo?: string;
  lostSecretKey?: true;
}

/** What the argument names exists, and cannot be restored. */
class RejectedArchive extends UsageError {
  override readonly isAboutData = true;
}

export async function restoreDatabase(path: string, options: RestoreOptions): Promise<void> {
  const source = await ArchiveSource.open(path);
  let asked: Promise<string> | null = null;
  const passphrase = () => (asked ??= passphraseOf(options, false));
  try {
    if (options.secretKeyTo === undefined) await restore(source, passphrase, options);
    else await writeSecretKey(source, passphrase, options.secretKeyTo, options);
  } catch (error) {
    if (error instanceof ArchiveRejected) throw new RejectedArchive(`${error.message} Nothing was changed.`);
    throw error instanceof DatabaseNotEmpty ? new UsageError(error.message) : error;
  } finally {
    await source.close();
  }
}

async function restore(
  source: ArchiveSource,
  passphrase: () => Promise<string>,
  options: RestoreOptions,
): Promise<void> {
  // Before anything is made: a wrong configuration, and what is wrong with a file.
  readConfig();
  if (source.isFile) await validateArchive(source.read(), passphrase);
  await withModules([MaintenanceModule.forRoot(SCHEMAS)], async (services) => {
    const isKeyLost = options.lostSecretKey === true;
    const summary = await services(DatabaseRestore).run(readArchive(source.read(), passphrase), isKeyLost);
    const { manifest, rows, skipped, secretKey } = summary;
    const { rcpt, created_at, revision } = manifest;
    const json = { rows, rcpt, created_at, revision, secret_key: secretKey, skipped };
    print(options, json, () => sentences(summary).join('\n'));
  });
}

async function writeSecretKey(
  source: ArchiveSource,
  passphrase: () => Promise<string>,
  to: string,
  options: Format,
): Promise<void> {
  const { secret_keys: keys } = await validateArchive(source.read(), passphrase);
  if (keys === undefined)
    throw new UsageError('the archive has no secret key; it was made without --with-secret-key');
  await writeWholeFile(to, async (output) => {
    await new Promise<void>((resolve, reject) => {
      output
        .once('error', reject)
        .once('close', resolve)
        .end(`${keys.join(',')}\n`);
    });
  });
  print(
    options,
    { file: to },
    () => `${to} has the secret key: set SECRET_KEY to what it contains. No database was changed.`,
  );
}

function sentences({ manifest, rows, skipped, secretKey }: RestoreSummary): string[] {
  const key = {
    used: [],
    restored: ['The secret key of the archive is now in DATA_DIR.'],
    lost: ['No key decrypts what is encrypted: docs/operations.md says what to create again.'],
  }[secretKey];
  const left =
    skipped.length === 0 ? [] : [`Not restored, because they are not tables of Rcpt: ${skipped.join(', ')}.`];
  return [
    `Restored ${plural(rows, 'row')} of the backup of ${manifest.created_at} (Rcpt ${manifest.rcpt}).`,
    ...key,
    ...left,
  ];
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
