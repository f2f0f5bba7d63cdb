import type { KeyId } from '../../../kernel/principal.js';
import type { SecretKeys } from '../../../platform/secrets/secret-keys.js';
import type { RequestedAddress } from '../domain/publishable-store.js';

/** 128 bits: a collision would only make two clients share a limit. */
const BYTES = 16;

/** Stored instead of the client's network address. */
export function hashOfClient(keys: SecretKeys, key: KeyId, client: string): Buffer {
  return short(keys, ['publishable client', key, client]);
}

/** Stored instead of a domain, a client and an address. */
export function hashesOf(keys: SecretKeys, { key, client, domain, address }: RequestedAddress) {
  return {
    ofClient: short(keys, ['publishable domain', key, domain, client]),
    ofKey: short(keys, ['publishable domain', key, domain]),
    address: short(keys, ['publishable address', key, address]),
  };
}

function short(keys: SecretKeys, parts: readonly string[]): Buffer {
  return keys.hashAddress(JSON.stringify(parts)).subarray(0, BYTES);
}
