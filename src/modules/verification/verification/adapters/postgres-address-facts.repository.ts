import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Clock } from '../../../../kernel/clock.js';
import { Memo } from '../../../../kernel/concurrency/memo.js';
import type { TeamId } from '../../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { TtlCache } from '../../../../platform/memory/ttl-cache.js';
import { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import {
  AddressFactsRepository,
  type FactsRecord,
  type StoredFacts,
} from '../domain/address-facts.repository.js';
import { AddressFactsRowSchema } from './postgres-address-facts.schema.js';

/** Addresses whose facts a process caches: those that are verified repeatedly. */
const MAX_ADDRESSES = 5_000;

/** Domains whose hash a process caches: a list has many addresses of a few domains. */
const MAX_DOMAINS = 10_000;
const DOMAIN_DIGITS = 8;

const GET = `
  SELECT facts, observed_at AS "observedAt", expires_at AS "expiresAt"
    FROM address_facts WHERE team_id = $1 AND address_hash = $2`;

const GET_MANY = `
  SELECT wanted.n::integer, facts, observed_at AS "observedAt"
    FROM unnest($2::bytea[]) WITH ORDINALITY AS wanted (hash, n)
    JOIN address_facts ON team_id = $1 AND address_hash = wanted.hash AND expires_at > $3`;

/**
 * In the order of the hashes, so that concurrent statements lock rows in the same order. As one JSON value,
 * because the driver escapes each quotation mark in an array of texts.
 */
const STORE = `
  INSERT INTO address_facts (team_id, address_hash, facts, observed_at, expires_at)
  SELECT $1, decode(hash, 'hex') AS address_hash, facts, "observedAt", "expiresAt"
    FROM jsonb_to_recordset($2::jsonb)
      AS record (hash text, facts jsonb, "observedAt" timestamptz, "expiresAt" timestamptz)
   ORDER BY address_hash
  ON CONFLICT (team_id, address_hash) DO UPDATE
     SET facts = excluded.facts, observed_at = excluded.observed_at, expires_at = excluded.expires_at`;

/** In the same order. */
const DELETE_UNTIL = `
  DELETE FROM address_facts WHERE team_id = $1 AND address_hash = ANY (ARRAY(
    SELECT address_hash FROM address_facts WHERE team_id = $1 AND address_hash = ANY ($2) AND observed_at <= $3
     ORDER BY address_hash FOR UPDATE))`;

type Kept = Omit<FactsRecord, 'key'>;

/**
 * Uses SQL for speed: every verification reads and writes facts.
 *
 * Rows hold the keyed hash of an address, never the address; a process caches the address for a few seconds.
 */
@Injectable()
export class PostgresAddressFactsRepository extends AddressFactsRepository {
  private readonly cache: TtlCache<Kept | null>;
  private readonly domainHashes = new Memo<string>(MAX_DOMAINS);

  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
    clock: Clock,
  ) {
    super();
    this.cache = new TtlCache(clock, MAX_ADDRESSES);
  }

  async find(team: TeamId, key: string, now: Date): Promise<StoredFacts | null> {
    const name = nameOf(team, key);
    const kept = await this.cache.get(name, async () => {
      const [row] = await this.work.manager.query<Kept[]>(GET, [team, this.keys.hashAddress(key)]);
      return row ?? null;
    });
    // Another process may store the first facts at any time: their absence is not cached.
    if (kept === null) this.cache.delete(name);
    return kept !== null && kept.expiresAt > now ? kept : null;
  }

  async list(team: TeamId, keys: readonly string[], now: Date): Promise<ReadonlyMap<string, StoredFacts>> {
    if (keys.length === 0) return new Map();
    const hashes = keys.map((key) => this.keys.hashAddress(key));
    const values = [team, hashes, now];
    const rows = await this.work.manager.query<({ n: number } & StoredFacts)[]>(GET_MANY, values);
    return new Map(rows.map(({ n, ...stored }) => [keys[n - 1] ?? '', stored]));
  }

  hashOf(key: string): string {
    return this.keys.hashAddressInHex(key);
  }

  domainHashOf(domain: string): string {
    return this.domainHashes.get(domain, () => this.hashOf(`domain: ${domain}`).slice(0, DOMAIN_DIGITS));
  }

  async deleteUntil(team: TeamId, hashes: readonly Buffer[], until: Date): Promise<void> {
    await this.work.manager.query(DELETE_UNTIL, [team, hashes, until]);
    // The addresses of the hashes are unknown, and reading them again is cheap.
    this.work.afterCommit(() => this.cache.clear());
  }

  async save(team: TeamId, records: readonly FactsRecord[]): Promise<void> {
    const rows = records.map(({ key, facts, observedAt, expiresAt }) => {
      return { hash: this.hashOf(key), facts, observedAt, expiresAt };
    });
    await this.work.manager.query(STORE, [team, JSON.stringify(rows)]);
    this.work.afterCommit(() => records.forEach(({ key }) => this.cache.delete(nameOf(team, key))));
  }

  // By team, because the primary key begins with it: a scan of all facts would take too long.
  async deleteByAddress(teams: readonly TeamId[], addressHash: Buffer): Promise<number> {
    const those = { teamId: In([...teams]), addressHash };
    const { affected } = await this.work.manager.delete(AddressFactsRowSchema, those);
    return affected ?? 0;
  }
}

function nameOf(team: TeamId, key: string): string {
  return `${team} ${key}`;
}
