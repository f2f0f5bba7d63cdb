import { DOMAIN_BYTES } from './hash-range.js';

const DOMAIN_DIGITS = 2 * DOMAIN_BYTES;

/** The domains of a list whose provider is known, collected while the list is received. */
export class ListProviders {
  /** By the first bytes of the address keys, in hexadecimal. */
  private readonly providers = new Map<string, string>();
  private readonly rows = new Map<string, number>();

  /** @param hash `ListRow.hash`. */
  add(hash: string, provider: string): void {
    this.providers.set(hash.slice(0, DOMAIN_DIGITS), provider);
    this.rows.set(provider, (this.rows.get(provider) ?? 0) + 1);
  }

  /** The domains of the providers with at least that many rows, each with its provider. */
  withRows(min: number): ReadonlyMap<string, string> {
    const found = [...this.providers].filter(([, provider]) => (this.rows.get(provider) ?? 0) >= min);
    return new Map(found);
  }
}
