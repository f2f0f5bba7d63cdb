import { Scope, type ScopeName } from './breaker-scope.js';

/** Maximum number of breakers, in total and per team. */
const MAX_BREAKERS = 10_000;
const MAX_BREAKERS_PER_TEAM = 1_000;
/** Eviction prefers an idle breaker among this many least recently used ones. */
const EVICTION_CANDIDATES = 20;

/**
 * A bounded store of breakers. A team at its limit evicts its own breakers; at the total limit the team
 * with the most breakers loses one.
 */
export class BreakerStore {
  private readonly scopes = new Map<string, Scope>();
  /** Team → the keys of its scopes, least recently used first. */
  private readonly keysOf = new Map<string, Set<string>>();
  /** Number of breakers → the teams that have that number. */
  private readonly teamsBySize: Set<string>[] = [];
  /** Upper bound of the breakers of one team. */
  private largest = 0;
  private count = 0;

  get size(): number {
    return this.count;
  }

  sizeOf(team: string): number {
    return this.keysOf.get(team)?.size ?? 0;
  }

  find(name: ScopeName): Scope | undefined {
    return this.scopes.get(keyOf(name));
  }

  /** The scopes with an open breaker. */
  *open(nowMs: number): Iterable<Scope> {
    for (const scope of this.scopes.values()) if (scope.isOpenForAnyTeam(nowMs)) yield scope;
  }

  /** The scope, created with a breaker of the team when missing. */
  getOrCreate(name: ScopeName, team: string, nowMs: number): Scope {
    const key = keyOf(name);
    const existing = this.scopes.get(key);
    if (existing?.breakerOf(team)) {
      this.markAsUsed(key, team);
      return existing;
    }
    this.evictIfFull(team, nowMs);
    const scope = this.scopes.get(key) ?? new Scope(name);
    this.scopes.set(key, scope);
    scope.add(team);
    this.changeKeys(team, (keys) => keys.add(key));
    return scope;
  }

  private markAsUsed(key: string, team: string): void {
    const keys = this.keysOf.get(team);
    keys?.delete(key);
    keys?.add(key);
  }

  private evictIfFull(team: string, nowMs: number): void {
    if (this.sizeOf(team) >= MAX_BREAKERS_PER_TEAM) this.evictFrom(team, nowMs);
    else if (this.count >= MAX_BREAKERS) this.evictFrom(this.largestTeam(), nowMs);
  }

  private largestTeam(): string {
    while (this.largest > 0 && !this.teamsBySize[this.largest]?.size) this.largest -= 1;
    const [team = ''] = this.teamsBySize[this.largest] ?? [];
    return team;
  }

  private evictFrom(team: string, nowMs: number): void {
    const key = this.evictionKey(team, nowMs);
    const scope = this.scopes.get(key);
    if (scope !== undefined) {
      scope.remove(team);
      if (scope.teams === 0) this.scopes.delete(key);
    }
    this.changeKeys(team, (keys) => keys.delete(key));
  }

  private changeKeys(team: string, change: (keys: Set<string>) => void): void {
    const keys = this.keysOf.get(team) ?? new Set();
    const before = keys.size;
    change(keys);
    if (keys.size === before) return;
    this.count += keys.size - before;
    this.teamsBySize[before]?.delete(team);
    this.keysOf.delete(team);
    if (keys.size === 0) return;
    this.keysOf.set(team, keys);
    (this.teamsBySize[keys.size] ??= new Set()).add(team);
    this.largest = Math.max(this.largest, keys.size);
  }

  private evictionKey(team: string, nowMs: number): string {
    let oldest: string | null = null;
    let inspected = 0;
    for (const key of this.keysOf.get(team) ?? []) {
      oldest ??= key;
      if (this.scopes.get(key)?.breakerOf(team)?.isIdle(nowMs)) return key;
      if ((inspected += 1) >= EVICTION_CANDIDATES) break;
    }
    return oldest ?? '';
  }
}

function keyOf({ egress, kind, name }: ScopeName): string {
  return `${egress} ${kind} ${name}`;
}
