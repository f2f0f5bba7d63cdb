import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { OUTCOME_KINDS, type KnownOutcome, type OutcomeKind } from '../../../../kernel/outcomes.js';
import { Clock } from '../../../../kernel/clock.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { TeamId } from '../../../../kernel/principal.js';
import { keysetPage } from '../../../../platform/database/transactions/keyset-page.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { TtlCache } from '../../../../platform/memory/ttl-cache.js';
import { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import type { Accuracy, AccuracyCounts, CalibrationBin } from '../domain/accuracy.js';
import type { NewOutcome, StoredOutcome } from '../domain/outcome.js';
import { OutcomeRepository } from '../domain/outcome.repository.js';
import { OutcomeRowSchema } from './postgres-outcome.schema.js';

/** Teams of which a process remembers whether they have outcomes. */
const MAX_TEAMS = 500;

/**
 * With the verdict that the team had before. In the order of the primary key, so that concurrent statements lock rows
 * in the same order.
 */
const ADD = `
  INSERT INTO outcomes (team_id, address_hash, event_key, kind, is_hard, category, domain, at, code, enhanced_code, text,
    source, reason, facts_reason, host, provider, accepted_at, estimate)
  SELECT $1, decode(hash, 'hex'), decode("eventKey", 'hex'), kind, "isHard", category, domain, at, code, "enhancedCode", text,
         $3, verdict.reason, verdict.facts_reason, verdict.host, verdict.provider,
         CASE WHEN verdict.is_accepted THEN verdict.verified_at END, verdict.estimate
    FROM jsonb_to_recordset($2::jsonb) AS outcome (
      hash text, "eventKey" text, kind text, "isHard" boolean, category text, domain text, at timestamptz,
      code smallint, "enhancedCode" text, text text)
    LEFT JOIN LATERAL (
      SELECT * FROM outcome_verdicts
       WHERE team_id = $1 AND address_hash = decode(hash, 'hex') AND verified_at <= outcome.at
       ORDER BY day DESC, verified_at DESC LIMIT 1) AS verdict ON true
   ORDER BY 2, 3
  ON CONFLICT DO NOTHING
  RETURNING 1`;

/** The team reports outcomes from now on. */
const CHANGED = `
  INSERT INTO outcome_statistics (team_id, changed_at) VALUES ($1, $2)
  ON CONFLICT (team_id) DO UPDATE SET changed_at = excluded.changed_at`;

const LATEST = `
  SELECT wanted.n::integer, latest.*,
         latest."isHard" AND EXISTS (
           SELECT FROM outcomes
            WHERE team_id = $1 AND outcomes.source = latest.source AND outcomes.kind = 'delivered'
              AND outcomes.at > $3) AS "isComplete"
    FROM unnest($2::bytea[]) WITH ORDINALITY AS wanted (hash, n)
    CROSS JOIN LATERAL (
      SELECT DISTINCT ON (kind, is_hard) kind, is_hard AS "isHard", at, code, enhanced_code AS "enhancedCode", text,
             source
        FROM outcomes WHERE team_id = $1 AND address_hash = wanted.hash
       ORDER BY kind, is_hard, at DESC) AS latest`;

/** An address counts once in each column. */
const ACCURACY_COUNTS = `
  SELECT reason, provider, sum(verified)::integer AS verified, sum(delivered)::integer AS delivered,
         sum(bounced)::integer AS bounced, sum(incomplete)::integer AS "bouncesOnly",
         sum(complained)::integer AS complained
    FROM (
      SELECT reason, provider, count(DISTINCT address_hash) AS verified, 0 AS delivered, 0 AS bounced, 0 AS incomplete,
             0 AS complained
        FROM outcome_verdicts WHERE team_id = $1 AND verified_at > $2 GROUP BY reason, provider
      UNION ALL
      SELECT reason, provider, 0, count(DISTINCT address_hash) FILTER (WHERE kind = 'delivered'),
             count(DISTINCT address_hash) FILTER (WHERE is_hard),
             count(DISTINCT address_hash) FILTER (WHERE is_hard AND (source IS NULL OR source <> ALL ($3::text[]))),
             count(DISTINCT address_hash) FILTER (WHERE kind = 'complained')
        FROM outcomes WHERE team_id = $1 AND at > $2 AND reason IS NOT NULL GROUP BY reason, provider) AS parts
   GROUP BY reason, provider
   ORDER BY 3 DESC, reason, provider NULLS LAST`;

const ACCURACY_BINS = `
  SELECT reason, provider, tenth::integer, count(*)::integer AS outcomes, sum(estimate) AS estimated, sum(delivered)::integer AS delivered,
         sum((estimate - delivered) ^ 2) AS "squaredError"
    FROM (
      SELECT DISTINCT ON (address_hash) reason, provider, estimate::double precision, (kind = 'delivered')::integer AS delivered
        FROM outcomes
       WHERE team_id = $1 AND at > $2 AND (is_hard OR kind = 'delivered') AND estimate IS NOT NULL
       ORDER BY address_hash, at DESC) AS known
   CROSS JOIN LATERAL least(floor(estimate * 10), 9) AS tenth
   GROUP BY reason, provider, tenth`;

const REPORTED = `
  SELECT asked.source, asked.kind
    FROM (SELECT source, kind FROM unnest($2::text[]) AS source CROSS JOIN unnest($3::text[]) AS kind) AS asked
   WHERE EXISTS (SELECT FROM outcomes
                  WHERE team_id = $1 AND outcomes.source = asked.source AND outcomes.kind = asked.kind AND at > $4)`;

/** Uses SQL for sets of rows: an import adds thousands, and a list reads thousands. */
@Injectable()
export class PostgresOutcomeRepository extends OutcomeRepository {
  private readonly haveOutcomes: TtlCache<boolean>;

  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
    private readonly clock: Clock,
  ) {
    super();
    this.haveOutcomes = new TtlCache(clock, MAX_TEAMS);
  }

  async add(team: TeamId, source: string | null, outcomes: readonly NewOutcome[]): Promise<number> {
    const rows = outcomes.map(({ key, ...outcome }) => ({
      ...outcome,
      hash: this.keys.hashAddressInHex(key),
    }));
    const added = await this.work.manager.query<unknown[]>(ADD, [team, JSON.stringify(rows), source]);
    await this.work.manager.query(CHANGED, [team, this.clock.now()]);
    this.work.afterCommit(() => this.haveOutcomes.delete(team));
    return added.length;
  }

  async listLatest(
    team: TeamId,
    keys: readonly string[],
    reportedSince: Date,
  ): Promise<ReadonlyMap<string, readonly StoredOutcome[]>> {
    const found = new Map<string, StoredOutcome[]>();
    if (keys.length === 0 || !(await this.hasAny(team))) return found;
    const hashes = keys.map((key) => this.keys.hashAddress(key));
    const rows = await this.work.manager.query<({ n: number } & StoredOutcome)[]>(LATEST, [
      team,
      hashes,
      reportedSince,
    ]);
    for (const { n, ...outcome } of rows) {
      const key = keys[n - 1] ?? '';
      found.set(key, [...(found.get(key) ?? []), outcome]);
    }
    return found;
  }

  async list(team: TeamId, key: string, request: PageRequest): Promise<Page<KnownOutcome>> {
    const query = this.work.manager
      .createQueryBuilder(OutcomeRowSchema, 'outcome')
      .where('outcome.teamId = :team AND outcome.addressHash = :hash', {
        team,
        hash: this.keys.hashAddress(key),
      });
    // As PostgreSQL reads a bytea.
    const after = request.after && { ...request.after, id: `\\x${request.after.id}` };
    const { items, next } = await keysetPage(query, { ...request, after }, { at: 'at', id: 'eventKey' });
    const last = items.at(-1);
    return {
      items,
      next: next && last ? { at: last.at, id: last.eventKey.toString('hex') } : null,
    };
  }

  async listReported(
    team: TeamId,
    sources: readonly string[],
    since: Date,
  ): Promise<readonly { source: string; kind: OutcomeKind }[]> {
    return this.work.manager.query(REPORTED, [team, sources, OUTCOME_KINDS, since]);
  }

  async countAccuracy(team: TeamId, since: Date, complete: readonly string[]): Promise<Accuracy> {
    const counts = await this.work.manager.query<AccuracyCounts[]>(ACCURACY_COUNTS, [team, since, complete]);
    const bins = await this.work.manager.query<CalibrationBin[]>(ACCURACY_BINS, [team, since]);
    return { counts, bins };
  }

  async deleteByAddress(teams: readonly TeamId[], key: string): Promise<number> {
    const those = { teamId: In([...teams]), addressHash: this.keys.hashAddress(key) };
    const { affected } = await this.work.manager.delete(OutcomeRowSchema, those);
    return affected ?? 0;
  }

  /** Most teams have none: their verifications need no further query. */
  private hasAny(teamId: TeamId): Promise<boolean> {
    return this.haveOutcomes.get(teamId, () => this.work.manager.existsBy(OutcomeRowSchema, { teamId }));
  }
}
