import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Clock } from '../../../../kernel/clock.js';
import { newId, type ListId } from '../../../../kernel/ids.js';
import type { TeamId } from '../../../../kernel/principal.js';
import type { Verdict } from '../../../../kernel/verdict.js';
import { FREE } from '../../../../platform/database/transactions/claims.js';
import { copyRows } from '../../../../platform/database/transactions/copy-rows.js';
import { PostgresTeamWork } from '../../../../platform/database/transactions/postgres-team-work.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { purge } from '../../../../platform/database/transactions/purge.js';
import { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import type { ClaimedRecheck, DeferredRow, Recheck } from '../domain/recheck.js';
import { RecheckRepository, type DeferredCheck } from '../domain/recheck.repository.js';
import { RecheckRowSchema } from './postgres-recheck.schema.js';

/** Reads one index entry per team; waiting rows are never counted. */
const TEAMS_WITH_DUE = `
  WITH RECURSIVE pending (team_id) AS (
    (SELECT team_id FROM rechecks WHERE due_at IS NOT NULL ORDER BY team_id LIMIT 1)
    UNION ALL
    SELECT (SELECT r.team_id FROM rechecks r WHERE r.due_at IS NOT NULL AND r.team_id > p.team_id
             ORDER BY r.team_id LIMIT 1)
      FROM pending p WHERE p.team_id IS NOT NULL
  )
  SELECT p.team_id FROM pending p
   WHERE EXISTS (SELECT FROM rechecks r WHERE r.team_id = p.team_id AND due_at <= $1 AND ${FREE})`;

const COLUMNS = `id, team_id AS "teamId", list AS "listId", address_hash AS "addressHash", rows, address, verdict, reason,
  key_id AS "keyId", user_id AS "userId", publishable, first_requested_at AS "firstRequestedAt", attempts`;

const ENDED = `lease = NULL, leased_until = '-infinity'`;

const ROWS = {
  table: 'rechecks',
  key: ['id'],
  leaseSeconds: 120,
  attempts: 'claims',
  waitingTeams: TEAMS_WITH_DUE,
  claims: {
    waits: 'due_at <= $2',
    orderBy: 'due_at',
    // So that slow servers of one team leave slots to others.
    perTeam: 16,
    columns: `${COLUMNS}, claims`,
  },
};

type Stored<R extends Recheck> = Omit<R, 'email' | 'verdict'> & {
  address: string | null;
  verdict: string | null;
};

/** Uses SQL for changes of many rows. */
@Injectable()
export class PostgresRecheckRepository
  extends PostgresTeamWork<ClaimedRecheck, Stored<ClaimedRecheck>>
  implements RecheckRepository
{
  constructor(
    work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
    private readonly clock: Clock,
  ) {
    super(work, ROWS);
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

  override claim(team: TeamId): Promise<ClaimedRecheck | null> {
    return this.claimWith(team, [this.clock.now()]);
  }

  override listWaitingTeams(): Promise<TeamId[]> {
    return this.waitingTeamsWith([this.clock.now()]);
  }

  async postpone(claimed: ClaimedRecheck, verdict: Verdict, dueAt: Date): Promise<void> {
    await this.updateLeased(
      claimed,
      `verdict = $1, due_at = $2, attempts = attempts + 1, claims = 0, ${ENDED}`,
      [this.sealed(verdict), dueAt],
    );
  }

  complete(claimed: ClaimedRecheck, verdict: Verdict, eraseAt: Date): Promise<boolean> {
    const change = `address = NULL, verdict = $1, due_at = NULL, erase_at = $2, ${ENDED}`;
    return this.updateLeased(claimed, change, [this.sealed(verdict), eraseAt]);
  }

  async deleteClaimed(claimed: readonly ClaimedRecheck[]): Promise<Set<string>> {
    const deleted = await this.query<{ id: string }>(
      // In the order of `deleteSome`, which deletes those of a list.
      `WITH deleted AS (
         DELETE FROM rechecks WHERE id = ANY (ARRAY(
           SELECT r.id FROM rechecks r JOIN unnest($1::text[], $2::uuid[]) AS claimed (id, lease)
               ON r.id = claimed.id AND r.lease = claimed.lease
            ORDER BY r.address_hash, r.id FOR UPDATE OF r))
         RETURNING id
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
           SELECT id FROM rechecks WHERE list = $1 ORDER BY address_hash, id LIMIT $2 FOR UPDATE))
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

  protected override keyOf({ id }: ClaimedRecheck): readonly unknown[] {
    return [id];
  }

  protected override unitOf(row: Stored<ClaimedRecheck>): ClaimedRecheck {
    return this.opened(row);
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
}
