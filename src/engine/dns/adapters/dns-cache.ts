import type { Clock } from '../../../kernel/clock.js';

interface Entry<T extends object> {
  value: T;
  /** The tenant that the entry counts for. */
  tenant: string;
  storedAtMs: number;
  expiresAtMs: number;
}

/**
 * Caches responses for their TTL, shared by all tenants. When the cache is full, the least recently used
 * entries of the tenant with the most of them are evicted: a list of many domains evicts its own entries
 * and not those of others.
 */
export class DnsCache<T extends object> {
  private readonly entries = new Map<string, Entry<T>>();
  /** The keys of each tenant, least recently used first. */
  private readonly keysByTenant = new Map<string, Set<string>>();

  constructor(
    private readonly clock: Clock,
    private readonly maxEntries: number,
  ) {}

  /**
   * The value and its age in whole seconds; null when it is not cached or has expired.
   *
   * @param tenant the requester. An entry counts for the tenant with the fewest entries among those that
   * use it.
   */
  get(key: string, tenant: string): { value: T; ageSeconds: number } | null {
    const entry = this.entries.get(key);
    if (!entry) return null;
    const nowMs = this.clock.monotonicMs();
    this.remove(key, entry);
    if (nowMs >= entry.expiresAtMs) return null;
    if (this.sizeOf(tenant) < this.sizeOf(entry.tenant)) entry.tenant = tenant;
    this.insert(key, entry);
    return { value: entry.value, ageSeconds: Math.floor((nowMs - entry.storedAtMs) / 1000) };
  }

  /**
   * Tenants that query a name at the same time store it one after the other.
   *
   * @param ttlSeconds 0: not cached (RFC 1035 §3.2.1).
   */
  set(key: string, requester: string, value: T, ttlSeconds: number): void {
    if (ttlSeconds <= 0) return;
    const existing = this.entries.get(key);
    const isSmaller = existing !== undefined && this.sizeOf(existing.tenant) <= this.sizeOf(requester);
    const tenant = isSmaller ? existing.tenant : requester;
    if (existing) this.remove(key, existing);
    else if (this.entries.size >= this.maxEntries) this.evict();
    const storedAtMs = this.clock.monotonicMs();
    this.insert(key, { value, tenant, storedAtMs, expiresAtMs: storedAtMs + ttlSeconds * 1000 });
  }

  /** A tenth at once: to find its first key, a Set passes over all that were deleted. */
  private evict(): void {
    let largest: ReadonlySet<string> = new Set();
    for (const keys of this.keysByTenant.values()) if (keys.size > largest.size) largest = keys;
    const kept = Math.floor(0.9 * largest.size);
    for (const key of largest) {
      const entry = this.entries.get(key);
      if (entry) this.remove(key, entry);
      if (largest.size <= kept) break;
    }
  }

  private insert(key: string, entry: Entry<T>): void {
    const keys = this.keysByTenant.get(entry.tenant) ?? new Set();
    keys.add(key);
    this.keysByTenant.set(entry.tenant, keys);
    this.entries.set(key, entry);
  }

  private remove(key: string, { tenant }: Entry<T>): void {
    const keys = this.keysByTenant.get(tenant);
    keys?.delete(key);
    if (keys?.size === 0) this.keysByTenant.delete(tenant);
    this.entries.delete(key);
  }

  private sizeOf(tenant: string): number {
    return this.keysByTenant.get(tenant)?.size ?? 0;
  }
}
