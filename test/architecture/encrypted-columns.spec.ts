import { describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { ENCRYPTED } from '../../src/modules/schema.js';

/** Source files that encrypt with `SECRET_KEY`, and where they store it. */
const PLACES: Readonly<Record<string, string[]>> = {
  'src/modules/accounts/accounts/adapters/postgres-sign-in-link.repository.ts': ['sign_in_links.ciphertext'],
  // A cookie of the browser.
  'src/modules/accounts/accounts/oidc/sign-in-attempt.cookie.ts': [],
  'src/modules/events/outcome-intake/adapters/postgres-source.repository.ts': ['outcome_sources.secret'],
  'src/modules/events/webhooks/adapters/sealed-secrets.ts': ['webhooks.secrets'],
  'src/modules/lists/schedules/adapters/postgres-schedule.repository.ts': ['schedules.secret'],
  'src/modules/verification/verification/adapters/postgres-recheck.repository.ts': [
    'rechecks.address',
    'rechecks.verdict',
  ],
  'src/platform/database/idempotency/idempotency-store.ts': ['idempotency_keys.response'],
  // Checked and encrypted again at the start of each process.
  'src/platform/database/secret-key-check.ts': [],
  'src/platform/mail/postgres-mail-queue.ts': ['outgoing_mails.ciphertext'],
};

describe('what is encrypted with SECRET_KEY', () => {
  it('is declared, so that it is encrypted again after a new key and decrypted by check-data', async () => {
    const files: string[] = [];
    for (const name of await readdir('src', { recursive: true })) {
      const file = `src/${name}`;
      if (!/\.ts$/.test(file) || /\.spec\.ts$|secret-keys\.ts$/.test(file)) continue;
      if (/\b(?:keys|secrets)\.encrypt\(/.test(await readFile(file, 'utf8'))) files.push(file);
    }
    expect(files.sort()).toEqual(Object.keys(PLACES));
    const declared = ENCRYPTED.map(({ schema, property }) => `${schema.options.tableName}.${property}`);
    expect(declared.sort()).toEqual(Object.values(PLACES).flat().sort());
  });
});
