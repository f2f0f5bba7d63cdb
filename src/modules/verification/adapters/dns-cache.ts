import type { Clock } from '../../../kernel/clock.js';

interface Entry<T extends object> {
  value: T;
  /** Whose part of the cache it takes up. */
  owner: string;
  storedAtMs: number;
  expiresAtMs: number;
}

/**
 * Remembers answers for as long as the DNS allows, for all owners together. When it is full,
 * the owner with the most entries loses the one not asked for longest: a list of many domains
 * displaces its own and not what others use.
 */
export class DnsCache<T extends object> {
  private readonly entries = new Map<string, Entry<T>>();
  /** The keys of each owner, the one not asked for longest first. */
  private readonly parts = new Map<string, Set<string>>();

  constructor(
    private readonly clock: Clock,
    private readonly maxEntries: number,
  ) {}

  /**
   * The value and its age in whole seconds; null when there is none, or no longer.
   *
   * @param owner who asks: an entry counts for the one with the fewest of those who use it.
   */
  get(key: string, owner: string): { value: T; ageSeconds: number } | null {
    const entry = this.entries.get(key);
    if (!entry) return null;
    const nowMs = this.clock.monotonicMs();
    this.detach(key, entry);
    if (nowMs >= entry.expiresAtMs) return null;
    if (this.sizeOf(owner) < this.sizeOf(entry.owner)) entry.owner = owner;
    this.attach(key, entry);
    return { value: entry.value, ageSeconds: Math.floor((nowMs - entry.storedAtMs) / 1000) };
  }

  /** @param ttlSeconds 0: not to be remembered (RFC 1035 §3.2.1). */
  set(key: string, owner: string, value: T, ttlSeconds: number): void {
    if (ttlSeconds <= 0) return;
    const known = this.entries.get(key);
    if (known) this.detach(key, known);
    else if (this.entries.size >= this.maxEntries) this.makeRoom();
    const storedAtMs = this.clock.monotonicMs();
    this.attach(key, { value, owner, storedAtMs, expiresAtMs: storedAtMs + ttlSeconds * 1000 });
  }

  private makeRoom(): void {
    let largest: ReadonlySet<string> = new Set();
    for (const part of this.parts.values()) if (part.size > largest.size) largest = part;
    const [key] = largest;
    const entry = key === undefined ? undefined : this.entries.get(key);
    if (key !== undefined && entry) this.detach(key, entry);
  }

  private attach(key: string, entry: Entry<T>): void {
    const part = this.parts.get(entry.owner) ?? new Set();
    part.add(key);
    this.parts.set(entry.owner, part);
    this.entries.set(key, entry);
  }

  private detach(key: string, { owner }: Entry<T>): void {
    const part = this.parts.get(owner);
    part?.delete(key);
    if (part?.size === 0) this.parts.delete(owner);
    this.entries.delete(key);
  }

  private sizeOf(owner: string): number {
    return this.parts.get(owner)?.size ?? 0;
  }
}
