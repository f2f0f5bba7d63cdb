import type { TeamId } from '../../../kernel/language.js';
import type { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import type { SecretKeys } from '../../../platform/secrets/secret-keys.js';
import { AddressFactsRepository, type KeptFacts } from '../domain/address-facts.repository.js';
import type { AddressFacts } from '../domain/evidence.js';

/** Rows hold the keyed hash of an address, never the address. */
export class PostgresAddressFactsRepository extends AddressFactsRepository {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
  ) {
    super();
  }

  async get(team: TeamId, key: string, now: Date): Promise<KeptFacts | null> {
    const [row] = await this.work.manager.query<{ facts: AddressFacts; observed_at: Date }[]>(
      `SELECT facts, observed_at FROM address_facts
        WHERE team_id = $1 AND address_hash = $2 AND expires_at > $3`,
      [team, this.keys.hashAddress(key), now],
    );
    return row === undefined ? null : { facts: row.facts, observedAt: row.observed_at };
  }

  async getMany(team: TeamId, keys: readonly string[], now: Date): Promise<ReadonlyMap<string, KeptFacts>> {
    if (keys.length === 0) return new Map();
    const keyByHash = new Map(keys.map((key) => [this.hashOf(key).toString('hex'), key]));
    const rows = await this.work.manager.query<
      { address_hash: Buffer; facts: AddressFacts; observed_at: Date }[]
    >(
      `SELECT address_hash, facts, observed_at FROM address_facts
        WHERE team_id = $1 AND address_hash = ANY($2) AND expires_at > $3`,
      [team, keys.map((key) => this.hashOf(key)), now],
    );
    return new Map(
      rows.map(({ address_hash, facts, observed_at }) => [
        keyByHash.get(address_hash.toString('hex')) ?? '',
        { facts, observedAt: observed_at },
      ]),
    );
  }

  hashOf(key: string): Buffer {
    return this.keys.hashAddress(key);
  }

  async forget(team: TeamId, hashes: readonly Buffer[], until: Date): Promise<void> {
    await this.work.manager.query(
      'DELETE FROM address_facts WHERE team_id = $1 AND address_hash = ANY($2) AND observed_at <= $3',
      [team, hashes, until],
    );
  }

  async keep(team: TeamId, key: string, { facts, observedAt }: KeptFacts, expiresAt: Date): Promise<void> {
    await this.work.manager.query(
      `INSERT INTO address_facts (team_id, address_hash, facts, observed_at, expires_at)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (team_id, address_hash) DO UPDATE
          SET facts = excluded.facts, observed_at = excluded.observed_at, expires_at = excluded.expires_at`,
      [team, this.keys.hashAddress(key), JSON.stringify(facts), observedAt, expiresAt],
    );
  }

  async eraseExpired(now: Date): Promise<number> {
    const [, count] = await this.work.manager.query<[unknown, number]>(
      'DELETE FROM address_facts WHERE expires_at <= $1',
      [now],
    );
    return count;
  }
}
