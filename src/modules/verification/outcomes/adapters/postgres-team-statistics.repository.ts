import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Clock } from '../../../../kernel/clock.js';
import type { TeamId } from '../../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { purge } from '../../../../platform/database/transactions/purge.js';
import { TtlCache } from '../../../../platform/memory/ttl-cache.js';
import { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import type { StoredStatistics, Learned, SeenVerdict } from '../domain/stored-statistics.js';
import {
  TeamStatisticsRepository,
  type CountedName,
  type OutcomeRange,
  type PlacedGroup,
} from '../domain/team-statistics.repository.js';
import type { ReturnedCount } from '../domain/returned-mail.js';
import { countNameOf, type CountName, type Place } from '../domain/units.js';
import * as statements from './team-statistics-statements.js';
import { OutcomeVerdictRowSchema } from './postgres-team-statistics.schema.js';

/** Teams whose statistics a process caches. */
const MAX_TEAMS = 500;
/** 128 bits: a collision would only count two domains together. */
const ID_DIGITS = 32;
/** Of domains of providers in the table, for which the host is no part of the name. */
const NO_HOST = '';

/** A count of new verdicts, as `COUNT_ACCEPTED` reads it. */
interface NewCount {
  host: string;
  name: string;
  day: string;
  addresses: number;
  since: Date;
}

/** Uses SQL for sets of rows. */
@Injectable()
export class PostgresTeamStatisticsRepository extends TeamStatisticsRepository {
  private readonly cache: TtlCache<StoredStatistics>;

  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
    private readonly clock: Clock,
  ) {
    super();
    this.cache = new TtlCache(clock, MAX_TEAMS);
  }

  getCached(team: TeamId): Promise<StoredStatistics> {
    return this.cache.get(team, async () => {
      const [row] = await this.work.manager.query<StoredStatistics[]>(statements.GET, [team]);
      if (row === undefined) return { learned: null, hasOutcomes: false, returning: [] };
      // A process of the version before has written other statistics; they are learned again soon.
      return { ...row, learned: row.learned?.domainsOf === undefined ? null : row.learned };
    });
  }

  findCached(team: TeamId): StoredStatistics | null {
    return this.cache.peek(team) ?? null;
  }

  forgetCached(team: TeamId): void {
    this.cache.delete(team);
  }

  async addTeam(team: TeamId): Promise<void> {
    await this.work.pool.query(statements.ADD_TEAM, [team, this.clock.now()]);
  }

  async addVerdicts(team: TeamId, verdicts: readonly SeenVerdict[]): Promise<void> {
    const counts = this.countsOf(verdicts);
    if (counts.length > 0)
      await this.work.pool.query(statements.COUNT_ACCEPTED, [team, JSON.stringify(counts)]);
    if (this.findCached(team)?.hasOutcomes === false) return;
    const rows = verdicts.map(({ key, domain: _, isNew: __, ...verdict }) => ({
      ...verdict,
      hash: this.keys.hashAddressInHex(key),
    }));
    await this.work.pool.query(statements.ADD_VERDICTS, [team, JSON.stringify(rows), this.clock.now()]);
  }

  async listDue(learnedBefore: Date, limit: number): Promise<readonly TeamId[]> {
    const rows = await this.work.manager.query<{ teamId: TeamId }[]>(statements.DUE, [learnedBefore, limit]);
    return rows.map(({ teamId }) => teamId);
  }

  async listComplete(team: TeamId, since: Date): Promise<readonly string[]> {
    const rows = await this.work.manager.query<{ source: string }[]>(statements.COMPLETE, [team, since]);
    return rows.map(({ source }) => source);
  }

  listGroups({ team, since, complete }: OutcomeRange, limit: number): Promise<readonly PlacedGroup[]> {
    return this.work.manager.query<PlacedGroup[]>(statements.GROUPS, [team, since, complete, limit]);
  }

  listReturned({ team, since, complete }: OutcomeRange, limit: number): Promise<readonly ReturnedCount[]> {
    return this.work.manager.query<ReturnedCount[]>(statements.RETURNED, [team, since, complete, limit]);
  }

  async listDomains(
    team: TeamId,
    since: Date,
    hosts: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const values = [team, since, hosts, hosts.map((name) => this.bytesOf(this.idOf(name))), limit];
    const rows = await this.work.manager.query<{ host: string; names: string[] }[]>(
      statements.DOMAINS,
      values,
    );
    return new Map(rows.map(({ host, names }) => [host, names]));
  }

  idOf(name: string): string {
    return this.keys.hashAddressInHex(`accepted at ${name}`).slice(0, ID_DIGITS);
  }

  async listAccepted(
    team: TeamId,
    since: Date,
    names: readonly (CountName | { host: string; name: null })[],
  ): Promise<readonly (CountedName | null)[]> {
    const hosts = names.map(({ host }) => this.bytesOf(this.hostIdOf(host)));
    const ids = names.map(({ name }) => (name === null ? null : this.bytesOf(this.idOf(name))));
    const rows = await this.work.manager.query<(CountedName & { n: number })[]>(statements.ACCEPTED, [
      team,
      since,
      hosts,
      ids,
    ]);
    const found = new Map(rows.map(({ n, ...count }) => [n, count]));
    return names.map((_, n) => found.get(n + 1) ?? null);
  }

  async countBounced(
    { team, since }: OutcomeRange,
    places: readonly (Place & { acceptedSince: Date })[],
  ): Promise<readonly number[]> {
    const rows = await this.work.manager.query<{ n: number; bounced: number }[]>(statements.BOUNCED, [
      team,
      since,
      places.map(({ host }) => host),
      places.map(({ domain }) => domain),
      places.map(({ provider }) => provider),
      places.map(({ acceptedSince }) => acceptedSince),
    ]);
    const found = new Map(rows.map(({ n, bounced }) => [n, bounced]));
    return places.map((_, n) => found.get(n + 1) ?? 0);
  }

  async save(team: TeamId, learned: Learned, returning: readonly string[], startedAt: Date): Promise<void> {
    await this.work.run(async () => {
      const { manager } = this.work;
      await manager.query(statements.SAVE, [team, JSON.stringify(learned), startedAt]);
      await manager.query('DELETE FROM outcome_hosts WHERE team_id = $1 AND host <> ALL ($2::text[])', [
        team,
        returning,
      ]);
      await manager.query(statements.SAVE_RETURNING, [team, returning]);
    });
    this.cache.delete(team);
  }

  async deleteByAddress(teams: readonly TeamId[], key: string): Promise<void> {
    const those = { teamId: In([...teams]), addressHash: this.keys.hashAddress(key) };
    await this.work.manager.delete(OutcomeVerdictRowSchema, those);
    // Their statistics are learned again.
    await this.work.manager.query('UPDATE outcome_statistics SET changed_at = $2 WHERE team_id = ANY ($1)', [
      [...teams],
      this.clock.now(),
    ]);
  }

  async deleteByTeam(team: TeamId): Promise<number> {
    // First, so that no verdict is stored any more.
    await this.work.manager.query('DELETE FROM outcome_statistics WHERE team_id = $1', [team]);
    await this.work.manager.query('DELETE FROM outcome_hosts WHERE team_id = $1', [team]);
    this.cache.delete(team);
    const orderBy = 'team_id, address_hash, day';
    return purge(this.work, { table: 'outcome_verdicts', where: 'team_id = $1', orderBy, values: [team] });
  }

  /** A list has many addresses of one domain. */
  private countsOf(verdicts: readonly SeenVerdict[]): NewCount[] {
    const counts = new Map<string, NewCount>();
    for (const verdict of verdicts) {
      if (!verdict.isNew || !verdict.isAccepted) continue;
      const { host, name } = countNameOf(verdict);
      const since = verdict.verifiedAt;
      const day = since.toISOString().slice(0, 10);
      const key = JSON.stringify([host, name, day]);
      const known = counts.get(key);
      if (known === undefined) {
        const ids = { host: this.hostIdOf(host), name: this.idOf(name) };
        counts.set(key, { ...ids, day, addresses: 1, since });
      } else {
        known.addresses += 1;
        if (since < known.since) known.since = since;
      }
    }
    return [...counts.values()];
  }

  private hostIdOf(host: string | null): string {
    return host === null ? NO_HOST : this.idOf(host);
  }

  private bytesOf(id: string): Buffer {
    return Buffer.from(id, 'hex');
  }
}
