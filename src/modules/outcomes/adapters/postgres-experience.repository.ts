import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import type { TeamId } from '../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import { purge } from '../../../platform/database/transactions/purge.js';
import { TtlCache } from '../../../platform/memory/ttl-cache.js';
import { SecretKeys } from '../../../platform/secrets/secret-keys.js';
import type { Experience, SeenVerdict } from '../domain/experience.js';
import { ExperienceRepository } from '../domain/experience.repository.js';
import type { GroupCount, Statistics } from '../domain/statistics.js';
import { OutcomeVerdictRowSchema } from './postgres-experience.schema.js';

/** Teams whose statistics a process caches. */
const MAX_TEAMS = 500;
/** Teams by whose outcomes an operator counts for all. */
const TEAMS_FOR_ALL = 3;

const GET = `
  SELECT (SELECT statistics FROM outcome_statistics WHERE team_id = $1) AS statistics,
         EXISTS (SELECT FROM outcome_statistics WHERE team_id = $1) AS "hasOutcomes",
         ARRAY(SELECT operator FROM outcome_operators GROUP BY operator
               HAVING count(*) >= ${TEAMS_FOR_ALL} OR bool_or(team_id = $1)) AS operators`;

const ADD_TEAM = `
  INSERT INTO outcome_statistics (team_id, changed_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`;

/** In the order of the primary key, so that concurrent statements lock rows in the same order. */
const ADD_VERDICTS = `
  INSERT INTO outcome_verdicts AS known
    (team_id, address_hash, day, verified_at, reason, operator, provider, is_accepted, estimate)
  SELECT DISTINCT ON (2, 3) $1, decode(hash, 'hex'), ("verifiedAt" AT TIME ZONE 'UTC')::date, "verifiedAt", reason,
         operator, provider, "isAccepted", estimate
    FROM jsonb_to_recordset($2::jsonb) AS verdict (
      hash text, "verifiedAt" timestamptz, reason text, operator text, provider text, "isAccepted" boolean,
      estimate real)
   WHERE EXISTS (SELECT FROM outcome_statistics WHERE team_id = $1)
   ORDER BY 2, 3, "verifiedAt" DESC
  ON CONFLICT (team_id, address_hash, day) DO UPDATE
     SET verified_at = excluded.verified_at, reason = excluded.reason, operator = excluded.operator,
         provider = excluded.provider, is_accepted = excluded.is_accepted, estimate = excluded.estimate
   -- A bounce says nothing about the verdict that was given before it.
   WHERE excluded.verified_at > known.verified_at AND excluded.reason <> 'bounced'`;

const DUE = `
  SELECT team_id AS "teamId" FROM outcome_statistics
   WHERE learned_at IS NULL OR changed_at >= learned_at OR learned_at < $1
   ORDER BY learned_at NULLS FIRST LIMIT $2`;

const GROUPS = `
  SELECT reason, operator, domain, count(*)::integer AS addresses,
         count(*) FILTER (WHERE kind = 'delivered')::integer AS delivered
    FROM (
      SELECT DISTINCT ON (address_hash) reason, operator, domain, kind
        FROM outcomes
       WHERE team_id = $1 AND at > $2 AND (is_hard OR kind = 'delivered') AND reason IS NOT NULL
       ORDER BY address_hash, at DESC) AS latest
   GROUP BY reason, operator, domain
   ORDER BY 4 DESC LIMIT $3`;

const OPERATORS = `
  SELECT operator FROM (
    SELECT operator, bool_or(is_hard AND at <= accepted_at + interval '30 days') AS bounced
      FROM outcomes
     WHERE team_id = $1 AND operator IS NOT NULL AND accepted_at IS NOT NULL AND (is_hard OR kind <> 'bounced')
     GROUP BY operator, address_hash) AS known
   GROUP BY operator
  HAVING count(*) FILTER (WHERE bounced) >= 3 AND count(*) FILTER (WHERE bounced) * 10 >= count(*)
   ORDER BY count(*) DESC LIMIT 100`;

const SAVE = `
  UPDATE outcome_statistics SET statistics = $2, learned_at = $3 WHERE team_id = $1`;
const SAVE_OPERATORS = `
  INSERT INTO outcome_operators (operator, team_id)
  SELECT operator, $1 FROM unnest($2::text[]) AS operator
   WHERE EXISTS (SELECT FROM outcome_statistics WHERE team_id = $1)
   ORDER BY 1 ON CONFLICT DO NOTHING`;

/** Uses SQL for sets of rows. */
@Injectable()
export class PostgresExperienceRepository extends ExperienceRepository {
  private readonly cache: TtlCache<Experience>;

  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
    private readonly clock: Clock,
  ) {
    super();
    this.cache = new TtlCache(clock, MAX_TEAMS);
  }

  getCached(team: TeamId): Promise<Experience> {
    return this.cache.get(team, async () => {
      const [row] = await this.work.pool.query<Experience[]>(GET, [team]);
      return row ?? { statistics: null, hasOutcomes: false, operators: [] };
    });
  }

  findCached(team: TeamId): Experience | null {
    return this.cache.peek(team) ?? null;
  }

  async addTeam(team: TeamId): Promise<void> {
    await this.work.pool.query(ADD_TEAM, [team, this.clock.now()]);
  }

  async addVerdicts(team: TeamId, verdicts: readonly SeenVerdict[]): Promise<void> {
    const rows = verdicts.map(({ key, ...verdict }) => ({
      ...verdict,
      hash: this.keys.hashAddressInHex(key),
    }));
    await this.work.pool.query(ADD_VERDICTS, [team, JSON.stringify(rows)]);
  }

  async listDue(learnedBefore: Date, limit: number): Promise<readonly TeamId[]> {
    const rows = await this.work.manager.query<{ teamId: TeamId }[]>(DUE, [learnedBefore, limit]);
    return rows.map(({ teamId }) => teamId);
  }

  countGroups(team: TeamId, since: Date, limit: number): Promise<readonly GroupCount[]> {
    return this.work.manager.query<GroupCount[]>(GROUPS, [team, since, limit]);
  }

  async listOperators(team: TeamId): Promise<readonly string[]> {
    const rows = await this.work.manager.query<{ operator: string }[]>(OPERATORS, [team]);
    return rows.map(({ operator }) => operator);
  }

  async save(
    team: TeamId,
    statistics: Statistics,
    operators: readonly string[],
    startedAt: Date,
  ): Promise<void> {
    await this.work.run(async () => {
      const { manager } = this.work;
      await manager.query(SAVE, [team, JSON.stringify(statistics), startedAt]);
      await manager.query(
        'DELETE FROM outcome_operators WHERE team_id = $1 AND operator <> ALL ($2::text[])',
        [team, operators],
      );
      await manager.query(SAVE_OPERATORS, [team, operators]);
    });
    this.cache.clear();
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
    await this.work.manager.query('DELETE FROM outcome_operators WHERE team_id = $1', [team]);
    this.cache.delete(team);
    const orderBy = 'team_id, address_hash, day';
    return purge(this.work, { table: 'outcome_verdicts', where: 'team_id = $1', orderBy, values: [team] });
  }
}
