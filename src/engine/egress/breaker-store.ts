import { Scope, type ScopeName } from './breaker-scope.js';

/** Maximum number of breakers, in total and per tenant. */
const MAX_BREAKERS = 10_000;
const MAX_BREAKERS_PER_TENANT = 1_000;
/** Eviction prefers an idle breaker among this many least recently used ones. */
const EVICTION_CANDIDATES = 20;

/**
 * A bounded store of breakers. A tenant at its limit evicts its own breakers; at the total limit the tenant
 * with the most breakers loses one.
 */
export class BreakerStore {
  private readonly scopes = new Map<string, Scope>();
  /** Tenant → the keys of its scopes, least recently used first. */
  private readonly keysOf = new Map<string, Set<string>>();
  /** Number of breakers → the tenants that have that number. */
  private readonly tenantsBySize: Set<string>[] = [];
  /** Upper bound of the breakers of one tenant. */
  private largest = 0;
  private count = 0;

  get size(): number {
    return this.count;
  }

  sizeOf(tenant: string): number {
    return this.keysOf.get(tenant)?.size ?? 0;
  }

  find(name: ScopeName): Scope | undefined {
    return this.scopes.get(keyOf(name));
  }

  /** The scopes with an open breaker. */
  *open(nowMs: number): Iterable<Scope> {
    for (const scope of this.scopes.values()) if (scope.isOpenForAnyTenant(nowMs)) yield scope;
  }

  /** The scope, created with a breaker of the tenant when missing. */
  getOrCreate(name: ScopeName, tenant: string, nowMs: number): Scope {
    const key = keyOf(name);
    const existing = this.scopes.get(key);
    if (existing?.breakerOf(tenant)) {
      this.markAsUsed(key, tenant);
      return existing;
    }
    this.evictIfFull(tenant, nowMs);
    const scope = this.scopes.get(key) ?? new Scope(name);
    this.scopes.set(key, scope);
    scope.add(tenant);
    this.changeKeys(tenant, (keys) => keys.add(key));
    return scope;
  }

  private markAsUsed(key: string, tenant: string): void {
    const keys = this.keysOf.get(tenant);
    keys?.delete(key);
    keys?.add(key);
  }

  private evictIfFull(tenant: string, nowMs: number): void {
    if (this.sizeOf(tenant) >= MAX_BREAKERS_PER_TENANT) this.evictFrom(tenant, nowMs);
    else if (this.count >= MAX_BREAKERS) this.evictFrom(this.largestTenant(), nowMs);
  }

  private largestTenant(): string {
    while (this.largest > 0 && !this.tenantsBySize[this.largest]?.size) this.largest -= 1;
    const [tenant = ''] = this.tenantsBySize[this.largest] ?? [];
    return tenant;
  }

  private evictFrom(tenant: string, nowMs: number): void {
    const key = this.evictionKey(tenant, nowMs);
    const scope = this.scopes.get(key);
    if (scope !== undefined) {
      scope.remove(tenant);
      if (scope.tenants === 0) this.scopes.delete(key);
    }
    this.changeKeys(tenant, (keys) => keys.delete(key));
  }

  private changeKeys(tenant: string, change: (keys: Set<string>) => void): void {
    const keys = this.keysOf.get(tenant) ?? new Set();
    const before = keys.size;
    change(keys);
    if (keys.size === before) return;
    this.count += keys.size - before;
    this.tenantsBySize[before]?.delete(tenant);
    this.keysOf.delete(tenant);
    if (keys.size === 0) return;
    this.keysOf.set(tenant, keys);
    (this.tenantsBySize[keys.size] ??= new Set()).add(tenant);
    this.largest = Math.max(this.largest, keys.size);
  }

  private evictionKey(tenant: string, nowMs: number): string {
    let oldest: string | null = null;
    let inspected = 0;
    for (const key of this.keysOf.get(tenant) ?? []) {
      oldest ??= key;
      if (this.scopes.get(key)?.breakerOf(tenant)?.isIdle(nowMs)) return key;
      if ((inspected += 1) >= EVICTION_CANDIDATES) break;
    }
    return oldest ?? '';
  }
}

function keyOf({ egress, kind, name }: ScopeName): string {
  return `${egress} ${kind} ${name}`;
}
