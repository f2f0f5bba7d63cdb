import { Writable } from 'node:stream';
import { SCHEMAS, NOT_ARCHIVED } from '../../modules/schema.js';
import { Clock } from '../../kernel/clock.js';
import { Config, ConfigError } from '../../platform/config/config.js';
import { newSeal } from '../../platform/database/archive/chunk-seal.js';
import { DatabaseBackup, type BackupSummary } from '../../platform/database/archive/database-backup.js';
import { MaintenanceModule } from '../../platform/database/maintenance/maintenance.module.js';
import { findSecretKeys } from '../../platform/database/secret-key-file.js';
import { withModules } from '../command-context.js';
import { requireDatabase } from '../database-context.js';
import { isStandardInput, plural, print, UsageError, type Format } from '../terminal.js';
import { hasPassphrase, passphraseOf, type PassphraseOptions } from './passphrase.js';
import { writeWholeFile } from './whole-file.js';

interface BackupOptions extends Format, PassphraseOptions {
  withSecretKey?: true;
  encrypt?: true;
}

export async function backupDatabase(path: string, options: BackupOptions): Promise<void> {
  const isPiped = isStandardInput(path);
  if (isPiped && process.stdout.isTTY)
    throw new UsageError('an archive is not text: redirect standard output, or name a file');
  requireDatabase();
  const { withSecretKey = false, encrypt = false } = options;
  const isEncrypted = withSecretKey || encrypt || hasPassphrase(options);
  const seal = await newSeal(isEncrypted ? await passphraseOf(options, true) : null);
  await withModules([MaintenanceModule.forRoot(SCHEMAS)], async (services) => {
    const secretKeys = withSecretKey ? await findSecretKeys(services(Config)) : null;
    if (withSecretKey && secretKeys === null)
      throw new ConfigError('there is no secret key: SECRET_KEY is not set, and DATA_DIR has no secret-key');
    const leftOut = new Set(Object.keys(NOT_ARCHIVED));
    const write = async (output: Writable): Promise<BackupSummary> =>
      services(DatabaseBackup).write(output, { leftOut, seal, secretKeys, now: services(Clock).now() });
    const summary = isPiped ? await write(standardOutput()) : await writeWholeFile(path, write);
    const { revision, rows, tables } = summary;
    const json = { file: path, rows, revision, encrypted: isEncrypted, secret_key: withSecretKey, tables };
    // Standard output is the archive.
    print(options, json, () => sentences(json).join('\n'), isPiped ? process.stderr : process.stdout);
  });
}

function sentences(done: {
  file: string;
  rows: number;
  tables: readonly unknown[];
  encrypted: boolean;
  secret_key: boolean;
}): string[] {
  const what = `${plural(done.rows, 'row')} of ${plural(done.tables.length, 'table')}`;
  return [
    `${isStandardInput(done.file) ? 'The archive' : done.file} has ${what}, ${done.encrypted ? 'encrypted with the passphrase' : 'not encrypted'}.`,
    done.secret_key
      ? 'It has the secret key. Nobody can restore it without the passphrase.'
      : 'It has no secret key: store a copy of SECRET_KEY, or of the file secret-key in DATA_DIR, in another place.',
  ];
}

/** Not ended, and with the errors of a broken pipe, which would otherwise end the process. */
function standardOutput(): Writable {
  process.stdout.on('error', () => undefined);
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => void process.stdout.write(chunk, (error) => done(error)),
  });
}
