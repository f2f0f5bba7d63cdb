import type { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import type { SigningSecret } from '../domain/signing-secret.js';

export interface SealedSecret {
  sealed: string;
  until: string | null;
}

export function sealSecrets(keys: SecretKeys, secrets: readonly SigningSecret[]): SealedSecret[] {
  return secrets.map(({ text, until }) => ({
    sealed: keys.encrypt(text),
    until: until?.toISOString() ?? null,
  }));
}

/** Skips secrets whose key is no longer in SECRET_KEY. */
export function openSecrets(keys: SecretKeys, secrets: readonly SealedSecret[]): SigningSecret[] {
  return secrets.flatMap(({ sealed, until }) => {
    try {
      return [{ text: keys.decrypt(sealed), until: until === null ? null : new Date(until) }];
    } catch {
      return [];
    }
  });
}
