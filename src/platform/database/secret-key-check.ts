import type { DataSource } from 'typeorm';
import { ConfigError } from '../config/config.js';
import type { SecretKeys } from '../secrets/secret-keys.js';

const TEXT = 'rcpt';

/**
 * Refuses keys that the database was not written with. Otherwise the process starts, and fails later and
 * without a message: webhooks are not signed, and stored facts are not found.
 *
 * The first process adds a text that is encrypted with its first key. A process that decrypts it with a
 * later key of its list encrypts it again with its first key. So after a rotation the old key can be
 * removed, and a process that still has only the old key is refused. While processes with `old,new` and
 * `new,old` start in any order, each has both keys and accepts either text.
 *
 * @param dataSource migrated.
 * @throws ConfigError
 */
export async function checkSecretKeys(dataSource: DataSource, secrets: SecretKeys): Promise<void> {
  // Of several processes that start at the same time, one adds the row, and the others read it.
  await dataSource.query('INSERT INTO secret_key_check (ciphertext) VALUES ($1) ON CONFLICT DO NOTHING', [
    secrets.encrypt(TEXT),
  ]);
  const [row] = await dataSource.query<{ ciphertext: string }[]>('SELECT ciphertext FROM secret_key_check');
  const { ciphertext = '' } = row ?? {};
  if (!isCheckOf(secrets, ciphertext)) {
    throw new ConfigError(
      'SECRET_KEY is not the key that this database was written with: it cannot decrypt what is stored. ' +
        'Set the same key as on all other processes and before a backup was restored; without the variable, ' +
        'the embedded database needs its file secret-key in DATA_DIR. To change the key, list the old one ' +
        'behind the new one. docs/operations.md says what to do when the key is lost.',
    );
  }
  if (secrets.isOfFirstKey(ciphertext)) return;
  // Another process may have replaced the text since; then its text stays.
  await dataSource.query('UPDATE secret_key_check SET ciphertext = $1 WHERE ciphertext = $2', [
    secrets.encrypt(TEXT),
    ciphertext,
  ]);
}

/** @param ciphertext of the table `secret_key_check`. */
export function isCheckOf(secrets: SecretKeys, ciphertext: string): boolean {
  try {
    return secrets.decrypt(ciphertext) === TEXT;
  } catch {
    return false;
  }
}
