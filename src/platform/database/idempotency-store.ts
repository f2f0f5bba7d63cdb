import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Mode, TeamId } from '../../kernel/principal.js';
import { SecretKeys } from '../secrets/secret-keys.js';
import { PostgresUnitOfWork } from './postgres-unit-of-work.js';
import { purge } from './purge.js';

/** Which key, and whose. */
export interface KeyScope {
  readonly teamId: TeamId;
  readonly mode: Mode;
  /** SHA-256 of the key. */
  readonly digest: Buffer;
}

/** An answer, as it is given again. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null: no body. */
  readonly body: string | null;
}

/** What is known under a key that is in use. */
export interface IdempotencyRecord {
  /** null: its body is still coming in. */
  readonly fingerprint: Buffer | null;
  /** null: it still runs. */
  readonly answer: StoredAnswer | null;
}

interface Row {
  fingerprint: Buffer | null;
  status: number | null;
  answer: string | null;
}

/** Whoever has not said for so long that it lives is taken for dead, and its key is free. */
export const LEASE_SECONDS = 60;
const KEPT = `interval '24 hours'`;
const LEASED = `now() + interval '${LEASE_SECONDS} seconds'`;
/** Kept long enough, or left behind without an answer. */
const OVER = `(m.created_at < now() - ${KEPT} OR (m.status IS NULL AND m.leased_until < now()))`;
const WHOSE = 'team_id = $1 AND mode = $2 AND key_digest = $3';
const OWN = `${WHOSE} AND owner = $4 AND status IS NULL`;

/** The book of idempotency keys. Its clock is the database's, which all processes share. */
@Injectable()
export class IdempotencyStore {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly secrets: SecretKeys,
  ) {}

  /** null: nothing that still counts. */
  async find(scope: KeyScope): Promise<IdempotencyRecord | null> {
    const [row] = await this.query<Row[]>(
      `SELECT fingerprint, status, answer FROM idempotency_keys m WHERE ${WHOSE} AND NOT ${OVER}`,
      scope,
    );
    if (row === undefined) return null;
    const { fingerprint, status, answer } = row;
    if (status === null || answer === null) return { fingerprint, answer: null };
    const { headers, body } = JSON.parse(this.secrets.decrypt(answer)) as Omit<StoredAnswer, 'status'>;
    return { fingerprint, answer: { status, headers, body } };
  }

  /** Takes the key for one request. @returns its owner's token; null: somebody else has it. */
  async claim(scope: KeyScope, fingerprint: Buffer | null): Promise<string | null> {
    const owner = randomUUID();
    const claimed = await this.query<unknown[]>(
      `INSERT INTO idempotency_keys AS m (team_id, mode, key_digest, owner, fingerprint, leased_until)
       VALUES ($1, $2, $3, $4, $5, ${LEASED})
       ON CONFLICT (team_id, mode, key_digest) DO UPDATE
         SET owner = excluded.owner, fingerprint = excluded.fingerprint, leased_until = excluded.leased_until,
             status = NULL, answer = NULL, created_at = now()
         WHERE ${OVER}
       RETURNING owner`,
      scope,
      [owner, fingerprint],
    );
    return claimed.length > 0 ? owner : null;
  }

  /** Says that the owner lives. */
  async renew(scope: KeyScope, owner: string): Promise<void> {
    await this.query(`UPDATE idempotency_keys SET leased_until = ${LEASED} WHERE ${OWN}`, scope, [owner]);
  }

  /** Writes the answer down, within the open unit of work. @returns false: the key has another owner by now. */
  async store(scope: KeyScope, owner: string, fingerprint: Buffer, answer: StoredAnswer): Promise<boolean> {
    const { status, headers, body } = answer;
    const kept = await this.query<[unknown[], number]>(
      `UPDATE idempotency_keys SET fingerprint = $5, status = $6, answer = $7 WHERE ${OWN} RETURNING owner`,
      scope,
      [owner, fingerprint, status, this.secrets.encrypt(JSON.stringify({ headers, body }))],
    );
    return kept[1] > 0;
  }

  /** Gives the key back: nothing was done that an answer would have to tell. */
  async release(scope: KeyScope, owner: string): Promise<void> {
    await this.query(`DELETE FROM idempotency_keys WHERE ${OWN}`, scope, [owner]);
  }

  /** @returns how many. */
  async deleteOld(): Promise<number> {
    const where = `created_at < now() - ${KEPT}`;
    return purge(this.work, { table: 'idempotency_keys', where, orderBy: 'created_at' });
  }

  /** All of a team that is gone. @returns how many. */
  deleteByTeam(teamId: TeamId): Promise<number> {
    const orderBy = 'team_id, mode, key_digest';
    return purge(this.work, { table: 'idempotency_keys', where: 'team_id = $1', orderBy, values: [teamId] });
  }

  private query<T>(sql: string, { teamId, mode, digest }: KeyScope, more: unknown[] = []): Promise<T> {
    return this.work.manager.query<T>(sql, [teamId, mode, digest, ...more]);
  }
}
