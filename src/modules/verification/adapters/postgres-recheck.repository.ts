import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { IsNull } from 'typeorm';
import { newId, type ListId } from '../../../kernel/ids.js';
import type { TeamId } from '../../../kernel/principal.js';
import type { Verdict } from '../../../kernel/verdict.js';
import { FREE, HELD, leasedFor, nextFree } from '../../../platform/database/transactions/claims.js';
import { copyRows } from '../../../platform/database/transactions/copy-rows.js';
import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import { purge } from '../../../platform/database/transactions/purge.js';
import { SecretKeys } from '../../../platform/secrets/secret-keys.js';
import type { ClaimedRecheck, DeferredRow, Recheck } from '../domain/recheck.js';
import { RecheckRepository, type DeferredCheck } from '../domain/recheck.repository.js';
import { RecheckRowSchema } from './postgres-recheck.schema.js';

/** Longer than a recheck may take. */
const LEASED_UNTIL = leasedFor(120);
/** Per team, in all processes, so that slow servers of one team leave slots to others. */
const MAX_CLAIMED_BY_TEAM = 16;
/** Teams that one sweep enqueues jobs for. */
const ENQUEUED_AT_ONCE = 1_000;

const DUE = `due_at <= $1 AND ${FREE}`;

/**
 * Reads one index entry per team; waiting rows are never counted. In random order: the teams that are left out
 * have their turn in one of the next sweeps.
 */
const TEAMS_WITH_DUE = `
  WITH RECURSIVE pending (team_id) AS (
    (SELECT team_id FROM rechecks WHERE due_at IS NOT NULL ORDER BY team_id LIMIT 1)
    UNION ALL
    SELECT (SELECT r.team_id FROM rechecks r WHERE r.due_at IS NOT NULL AND r.team_id > p.team_id
             ORDER BY r.team_id LIMIT 1)
      FROM pending p WHERE p.team_id IS NOT NULL
  )
  SELECT p.team_id AS "teamId" FROM pending p
   WHERE EXISTS (SELECT FROM rechecks r WHERE r.team_id = p.team_id AND ${DUE})
   ORDER BY random() LIMIT ${ENQUEUED_AT_ONCE}`;

const COLUMNS = `id, team_id AS "teamId", list AS "listId", address_hash AS "addressHash", rows, address, verdict, reason,
  key_id AS "keyId", user_id AS "userId", publishable, first_requested_at AS "firstRequestedAt", attempts`;

/** Asynchronous commit: after a crash of the database, the recheck is claimed again. */
const CLAIM = `
  WITH claimed AS (
    UPDATE rechecks SET claims = claims + 1, lease = $3, leased_until = ${LEASED_UNTIL}
     WHERE id = (${nextFree('rechecks', 'id', 'team_id = $2 AND due_at <= $1', 'due_at')})
       AND (SELECT count(*) FROM rechecks WHERE team_id = $2 AND ${HELD}) < ${MAX_CLAIMED_BY_TEAM}
    RETURNING *
  ) SELECT ${COLUMNS}, lease, claims, set_config('synchronous_commit', 'off', true) FROM claimed`;

type Stored<R extends Recheck> = Omit<R, 'email' | 'verdict'> & {
  address: string | null;
  verdict: string | null;
};

/** Uses SQL for claims, which use the clock of the database, and for changes of many rows. */
@Injectable()
export class PostgresRecheckRepository extends RecheckRepository {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
  ) {
    super();
  }

  async add(check: DeferredCheck): Promise<Date> {
    const { teamId, key, verdict, keyId, userId, publishable, firstRequestedAt, dueAt } = check;
    // A pending row is updated to the same values, so that it is returned.
    const [row] = await this.query<{ due_at: Date }>(
      `INSERT INTO rechecks
              (id, team_id, address_hash, address, verdict, reason, key_id, user_id, publishable, first_requested_at,
               due_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT (team_id, address_hash) WHERE list IS NULL AND due_at IS NOT NULL
          DO UPDATE SET team_id = excluded.team_id
       RETURNING due_at`,
      [
        newId('chk'),
        teamId,
        this.keys.hashAddress(key),
        this.keys.encrypt(verdict.email),
        this.sealed(verdict),
        verdict.reason,
        keyId,
        userId,
        publishable,
        firstRequestedAt,
        dueAt,
      ],
    );
    return row?.due_at ?? dueAt;
  }

  addRows(
    { teamId, listId }: { teamId: TeamId; listId: ListId },
    rows: readonly DeferredRow[],
    firstRequestedAt: Date,
    dueAt: Date,
  ): Promise<void> {
    const into =
      'rechecks (id, team_id, list, address_hash, rows, address, verdict, reason, first_requested_at, due_at)';
    const times = [firstRequestedAt.toISOString(), dueAt.toISOString()];
    return copyRows(this.work.manager, into, rows, ({ addressKey, rows: count, email, verdict }) => [
      newId('chk'),
      teamId,
      listId,
      addressKey,
      count,
      this.keys.encrypt(email),
      this.sealed(verdict),
      verdict.reason,
      ...times,
    ]);
  }

  async listTeamsWithDue(now: Date): Promise<TeamId[]> {
    const teams = await this.query<{ teamId: TeamId }>(TEAMS_WITH_DUE, [now]);
    return teams.map(({ teamId }) => teamId);
  }

  async claim(team: TeamId, now: Date): Promise<ClaimedRecheck | null> {
    const [claimed] = await this.query<Stored<ClaimedRecheck>>(CLAIM, [now, team, randomUUID()]);
    return claimed === undefined ? null : this.opened(claimed);
  }

  async release({ id, lease }: ClaimedRecheck, pauseSeconds: number, counts: boolean): Promise<void> {
    await this.query(
      `UPDATE rechecks SET lease = NULL, leased_until = now() + $3 * interval '1 second',
              claims = claims - $4::integer
        WHERE id = $1 AND lease = $2`,
      [id, lease, pauseSeconds, counts ? 0 : 1],
    );
  }

  async postpone({ id, lease }: ClaimedRecheck, verdict: Verdict, dueAt: Date): Promise<void> {
    await this.query(
      `UPDATE rechecks SET verdict = $3, due_at = $4, attempts = attempts + 1, claims = 0,
              lease = NULL, leased_until = '-infinity'
        WHERE id = $1 AND lease = $2`,
      [id, lease, this.sealed(verdict), dueAt],
    );
  }

  async complete({ id, lease }: ClaimedRecheck, verdict: Verdict, eraseAt: Date): Promise<boolean> {
    const [, count] = await this.work.manager.query<[unknown, number]>(
      `UPDATE rechecks SET address = NULL, verdict = $3, due_at = NULL, erase_at = $4,
              lease = NULL, leased_until = '-infinity'
        WHERE id = $1 AND lease = $2`,
      [id, lease, this.sealed(verdict), eraseAt],
    );
    return count > 0;
  }

  async deleteClaimed(claimed: readonly ClaimedRecheck[]): Promise<Set<string>> {
    const deleted = await this.query<{ id: string }>(
      `WITH deleted AS (
         DELETE FROM rechecks USING unnest($1::text[], $2::uuid[]) AS claimed (id, lease)
          WHERE rechecks.id = claimed.id AND rechecks.lease = claimed.lease RETURNING rechecks.id
       ) SELECT id FROM deleted`,
      [claimed.map(({ id }) => id), claimed.map(({ lease }) => lease)],
    );
    return new Set(deleted.map(({ id }) => id));
  }

  async listDeferredKeys(listId: ListId, addressKeys: readonly Buffer[]): Promise<ReadonlySet<string>> {
    const found = await this.query<{ key: string }>(
      `SELECT encode(address_hash, 'hex') AS key FROM rechecks WHERE list = $1 AND address_hash = ANY($2)`,
      [listId, addressKeys],
    );
    return new Set(found.map(({ key }) => key));
  }

  async countDeferred(
    listIds: readonly ListId[],
  ): Promise<ReadonlyMap<string, { rows: number; nextAttemptAt: Date | null }>> {
    const found = await this.query<{ listId: ListId; rows: number; nextAttemptAt: Date | null }>(
      `SELECT list AS "listId", sum(rows)::integer AS rows,
              min(due_at) FILTER (WHERE leased_until <= now()) AS "nextAttemptAt"
         FROM rechecks WHERE list = ANY($1::bigint[]) GROUP BY list`,
      [listIds],
    );
    return new Map(found.map(({ listId, ...waiting }) => [listId, waiting]));
  }

  async deleteSome(listId: ListId, limit: number): Promise<Recheck[]> {
    const deleted = await this.query<Stored<Recheck>>(
      `WITH deleted AS (
         DELETE FROM rechecks WHERE id = ANY (ARRAY(
           SELECT id FROM rechecks WHERE list = $1 ORDER BY address_hash LIMIT $2 FOR UPDATE))
         RETURNING *
       ) SELECT ${COLUMNS} FROM deleted`,
      [listId, limit],
    );
    return deleted.map((row) => this.opened(row));
  }

  async deleteByAddress(addressHash: Buffer): Promise<number> {
    const { affected } = await this.work.manager.delete(RecheckRowSchema, { addressHash, listId: IsNull() });
    return affected ?? 0;
  }

  async deleteByList(listId: ListId): Promise<void> {
    await purge(
      this.work,
      { table: 'rechecks', where: 'list = $1', orderBy: 'list, address_hash', values: [listId] },
      { maxRows: Infinity },
    );
  }

  async findVerdict(id: string): Promise<{ teamId: TeamId; verdict: Verdict } | null> {
    const statement = 'SELECT team_id AS "teamId", verdict FROM rechecks WHERE id = $1 AND due_at IS NULL';
    const [row] = await this.query<{ teamId: TeamId; verdict: string | null }>(statement, [id]);
    const verdict = this.verdictIn(row?.verdict ?? null);
    return row === undefined || verdict === null ? null : { teamId: row.teamId, verdict };
  }

  /** Sorts the ids of the team, which are few beside rows of lists. */
  async listVerdicts(team: TeamId, limit: number): Promise<Verdict[]> {
    const found = await this.query<{ verdict: string | null }>(
      'SELECT verdict FROM rechecks WHERE team_id = $1 AND due_at IS NULL ORDER BY id DESC LIMIT $2',
      [team, limit],
    );
    return found.map(({ verdict }) => this.verdictIn(verdict)).filter((verdict) => verdict !== null);
  }

  private opened<R extends Recheck>({ address, verdict, ...row }: Stored<R>): R {
    const email = address === null ? null : this.decrypted(address);
    return { ...row, email, verdict: this.verdictIn(verdict) } as unknown as R;
  }

  private verdictIn(sealed: string | null): Verdict | null {
    const text = sealed === null ? null : this.decrypted(sealed);
    if (text === null) return null;
    const verdict = JSON.parse(text) as Verdict & { verifiedAt: string };
    const outcome = verdict.outcome && { ...verdict.outcome, at: new Date(verdict.outcome.at) };
    return { ...verdict, outcome, verifiedAt: new Date(verdict.verifiedAt) };
  }

  private sealed(verdict: Verdict): string {
    return this.keys.encrypt(JSON.stringify(verdict));
  }

  /** null if the key was removed from `SECRET_KEY`, so that the other rows can still be read. */
  private decrypted(envelope: string): string | null {
    try {
      return this.keys.decrypt(envelope);
    } catch {
      return null;
    }
  }

  private query<Row>(statement: string, values: unknown[]): Promise<Row[]> {
    return this.work.manager.query<Row[]>(statement, values);
  }
}
