import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Writable } from 'node:stream';
import { ARCHIVED, SCHEMAS } from '../../modules/schema.js';
import { Clock } from '../../kernel/clock.js';
import { Config, ConfigError } from '../../platform/config/config.js';
import type { ArchiveSeal } from '../../platform/database/archive/archive-seal.js';
import { DatabaseBackup, type BackupSummary } from '../../platform/database/archive/database-backup.js';
import { MaintenanceModule } from '../../platform/database/maintenance/maintenance.module.js';
import { findSecretKeys } from '../../platform/database/secret-key-file.js';
import { withModules } from '../command-context.js';
import { requireDatabase } from '../database-context.js';
import { isStandardInput, plural, print, UsageError, type Format } from '../terminal.js';
import { sealOf, type SealOptions } from './archive-keys.js';
import { writeWholeFile } from './whole-file.js';

const archived = new Set(ARCHIVED);

export async function backupDatabase(path: string, options: Format & SealOptions): Promise<void> {
  const isPiped = isStandardInput(path);
  if (isPiped && process.stdout.isTTY)
    throw new UsageError('an archive is not text: redirect standard output, or name a file');
  requireDatabase();
  const { withSecretKey = false } = options;
  const seal = await sealOf(options);
  await withModules([MaintenanceModule.forRoot(SCHEMAS)], async (services) => {
    const secretKeys = withSecretKey ? await findSecretKeys(services(Config)) : null;
    if (withSecretKey && secretKeys === null)
      throw new ConfigError('there is no secret key: SECRET_KEY is not set, and DATA_DIR has no secret-key');
    const now = services(Clock).now();
    const write = (output: Writable, spoolDirectory: string): Promise<BackupSummary> =>
      services(DatabaseBackup).write(output, { archived, seal, secretKeys, spoolDirectory, now });
    const summary = isPiped
      ? await write(standardOutput(), await spoolDirectory(services(Config)))
      : await writeWholeFile(path, write);
    const { revision, rows, tables } = summary;
    const encrypted = seal !== null;
    const json = { file: path, rows, revision, encrypted, secret_key: withSecretKey, tables };
    // Standard output is the archive.
    print(
      options,
      json,
      () => sentences(path, summary, seal, withSecretKey).join('\n'),
      isPiped ? process.stderr : process.stdout,
    );
  });
}

function sentences(
  path: string,
  { rows, tables }: BackupSummary,
  seal: ArchiveSeal,
  hasSecretKey: boolean,
): string[] {
  const what = `${plural(rows, 'row')} of ${plural(tables.length, 'table')}`;
  const opener = seal !== null && 'recipients' in seal ? 'the key of a recipient' : 'the passphrase';
  return [
    `${isStandardInput(path) ? 'The archive' : path} has ${what}, ${howEncrypted(seal)}.`,
    hasSecretKey
      ? `It has the secret key. Nobody can restore it without ${opener}.`
      : 'It has no secret key: store a copy of SECRET_KEY, or of the file secret-key in DATA_DIR, in another place.',
  ];
}

function howEncrypted(seal: ArchiveSeal): string {
  if (seal === null) return 'not encrypted';
  if ('passphrase' in seal) return 'encrypted with the passphrase';
  return `encrypted for ${plural(seal.recipients.length, 'recipient')}`;
}

/** In a container with a read-only file system, only `DATA_DIR` can be written to. */
function spoolDirectory({ dataDir }: Config): Promise<string> {
  return access(dataDir, constants.W_OK).then(
    () => dataDir,
    () => tmpdir(),
  );
}

/** Not ended, and with the errors of a broken pipe, which would otherwise end the process. */
function standardOutput(): Writable {
  process.stdout.on('error', () => undefined);
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => void process.stdout.write(chunk, (error) => done(error)),
  });
}
