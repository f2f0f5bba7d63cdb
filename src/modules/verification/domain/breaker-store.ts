import { Scope, type BreakerKind } from './scope.js';

/** A host, domain or provider, as it is met on one way out. */
export interface ScopeName {
  egress: string;
  kind: BreakerKind;
  name: string;
}

/** Breakers remembered, of all teams and of one. */
const MOST = 10_000;
const MOST_OF_A_TEAM = 1_000;
/** Among so many that were used longest ago, one that holds no refusal is dropped first. */
const LOOKED_AT = 20;

/** The breakers, bounded: whoever needs room takes it from itself, or from the team that has most. */
export class BreakerStore {
  private readonly scopes = new Map<string, Scope>();
  /** Team → the keys of its scopes, in the order of their last use. */
  private readonly keysOf = new Map<string, Set<string>>();
  /** How many breakers → the teams that have so many. */
  private readonly teamsBySize: Set<string>[] = [];
  /** No team has more. */
  private largest = 0;
  /** In which some team keeps a pause, or remembers one. */
  private readonly paused = new Set<Scope>();
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

  /** The scopes in which some breaker is open. */
  *open(nowMs: number): Iterable<Scope> {
    for (const scope of this.paused) if (scope.isOpenForSomebody(nowMs)) yield scope;
  }

  /** To be called when the scope has learned something. */
  changed(scope: Scope): void {
    if (scope.wasOpened) this.paused.add(scope);
    else this.paused.delete(scope);
  }

  /** The scope, with a breaker of the team's. */
  use(name: ScopeName, team: string, nowMs: number): Scope {
    const key = keyOf(name);
    if (this.scopes.get(key)?.has(team) !== true) this.makeRoom(team, nowMs);
    const scope = this.scopes.get(key) ?? new Scope(name.kind);
    this.scopes.set(key, scope);
    scope.add(team);
    this.changeKeys(team, (keys) => {
      keys.delete(key);
      keys.add(key);
    });
    return scope;
  }

  private makeRoom(team: string, nowMs: number): void {
    if (this.sizeOf(team) >= MOST_OF_A_TEAM) this.dropOneOf(team, nowMs);
    else if (this.count >= MOST) this.dropOneOf(this.largestTeam(), nowMs);
  }

  private largestTeam(): string {
    while (this.largest > 0 && !this.teamsBySize[this.largest]?.size) this.largest -= 1;
    const [team = ''] = this.teamsBySize[this.largest] ?? [];
    return team;
  }

  private dropOneOf(team: string, nowMs: number): void {
    const key = this.leastNeeded(team, nowMs);
    const scope = this.scopes.get(key);
    if (scope !== undefined) {
      scope.remove(team);
      this.changed(scope);
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

  private leastNeeded(team: string, nowMs: number): string {
    let oldest: string | null = null;
    let looked = 0;
    for (const key of this.keysOf.get(team) ?? []) {
      oldest ??= key;
      if (this.scopes.get(key)?.isIdle(team, nowMs)) return key;
      if ((looked += 1) >= LOOKED_AT) break;
    }
    return oldest ?? '';
  }
}

function keyOf({ egress, kind, name }: ScopeName): string {
  return `${egress} ${kind} ${name}`;
}
