import type { Clock } from '../../../kernel/clock.js';

interface Entry<T extends object> {
  value: T;
  /** The team that the entry counts for. */
  team: string;
  storedAtMs: number;
  expiresAtMs: number;
}

/**
 * Caches responses for their TTL, shared by all teams. When the cache is full, the least recently used
 * entries of the team with the most of them are evicted: a list of many domains evicts its own entries
 * and not those of others.
 */
export class DnsCache<T extends object> {
  private readonly entries = new Map<string, Entry<T>>();
  /** The keys of each team, least recently used first. */
  private readonly keysByTeam = new Map<string, Set<string>>();

  constructor(
    private readonly clock: Clock,
    private readonly maxEntries: number,
  ) {}

  /**
   * The value and its age in whole seconds; null when it is not cached or has expired.
   *
   * @param team the requester. An entry counts for the team with the fewest entries among those that
   * use it.
   */
  get(key: string, team: string): { value: T; ageSeconds: number } | null {
    const entry = this.entries.get(key);
    if (!entry) return null;
    const nowMs = this.clock.monotonicMs();
    this.remove(key, entry);
    if (nowMs >= entry.expiresAtMs) return null;
    if (this.sizeOf(team) < this.sizeOf(entry.team)) entry.team = team;
    this.insert(key, entry);
    return { value: entry.value, ageSeconds: Math.floor((nowMs - entry.storedAtMs) / 1000) };
  }

  /**
   * Teams that query a name at the same time store it one after the other.
   *
   * @param ttlSeconds 0: not cached (RFC 1035 §3.2.1).
   */
  set(key: string, requester: string, value: T, ttlSeconds: number): void {
    if (ttlSeconds <= 0) return;
    const existing = this.entries.get(key);
    const isSmaller = existing !== undefined && this.sizeOf(existing.team) <= this.sizeOf(requester);
    const team = isSmaller ? existing.team : requester;
    if (existing) this.remove(key, existing);
    else if (this.entries.size >= this.maxEntries) this.evict();
    const storedAtMs = this.clock.monotonicMs();
    this.insert(key, { value, team, storedAtMs, expiresAtMs: storedAtMs + ttlSeconds * 1000 });
  }

  /** A tenth at once: to find its first key, a Set passes over all that were deleted. */
  private evict(): void {
    let largest: ReadonlySet<string> = new Set();
    for (const keys of this.keysByTeam.values()) if (keys.size > largest.size) largest = keys;
    const kept = Math.floor(0.9 * largest.size);
    for (const key of largest) {
      const entry = this.entries.get(key);
      if (entry) this.remove(key, entry);
      if (largest.size <= kept) break;
    }
  }

  private insert(key: string, entry: Entry<T>): void {
    const keys = this.keysByTeam.get(entry.team) ?? new Set();
    keys.add(key);
    this.keysByTeam.set(entry.team, keys);
    this.entries.set(key, entry);
  }

  private remove(key: string, { team }: Entry<T>): void {
    const keys = this.keysByTeam.get(team);
    keys?.delete(key);
    if (keys?.size === 0) this.keysByTeam.delete(team);
    this.entries.delete(key);
  }

  private sizeOf(team: string): number {
    return this.keysByTeam.get(team)?.size ?? 0;
  }
}
