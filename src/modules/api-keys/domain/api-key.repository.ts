import type { ApiKey } from './api-key.js';

/** Port: keys, found by the digest of their text. */
export abstract class ApiKeyRepository {
  abstract add(key: ApiKey): Promise<void>;
  abstract byDigest(digest: Buffer): Promise<ApiKey | null>;
}
