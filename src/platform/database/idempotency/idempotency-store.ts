import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Mode, TeamId } from '../../../kernel/principal.js';
import { SecretKeys } from '../../secrets/secret-keys.js';
import { PostgresUnitOfWork } from '../transactions/postgres-unit-of-work.js';

export interface KeyScope {
  readonly teamId: TeamId;
  readonly mode: Mode;
  /** SHA-256 of the key. */
  readonly digest: Buffer;
}

export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null: no body. */
  readonly body: string | null;
}

export interface IdempotencyRecord {
  /** null: the request body is still being received. */
  readonly fingerprint: Buffer | null;
  /** null: the request is still running. */
  readonly response: StoredResponse | null;
}

type Row = Pick<IdempotencyRecord, 'fingerprint'> & { status: number | null; response: string | null };

/** A lease that is not renewed within this time expires, and the key can be claimed again. */
export const LEASE_SECONDS = 60;
const RETENTION = `interval '24 hours'`;
const LEASE_END = `now() + interval '${LEASE_SECONDS} seconds'`;
/** Past its retention, or without a response after its lease. */
const EXPIRED = `(m.created_at < now() - ${RETENTION} OR (m.status IS NULL AND m.leased_until < now()))`;
const BY_SCOPE = 'team_id = $1 AND mode = $2 AND key_digest = $3';
const BY_HOLDER = `${BY_SCOPE} AND holder = $4 AND status IS NULL`;

/** Stores idempotency keys and responses. It uses the clock of the database, which all processes share. */
@Injectable()
export class IdempotencyStore {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly secrets: SecretKeys,
  ) {}

  /** null: the key is not in use. */
  async find(scope: KeyScope): Promise<IdempotencyRecord | null> {
    const [row] = await this.query<Row[]>(
      `SELECT fingerprint, status, response FROM idempotency_keys m WHERE ${BY_SCOPE} AND NOT ${EXPIRED}`,
      scope,
    );
    if (row === undefined) return null;
    const { fingerprint, status, response } = row;
    if (status === null || response === null) return { fingerprint, response: null };
    const { headers, body } = JSON.parse(this.secrets.decrypt(response)) as Omit<StoredResponse, 'status'>;
    return { fingerprint, response: { status, headers, body } };
  }

  /** Claims the key for one request. @returns the token of the holder; null: another request holds the key. */
  async claim(scope: KeyScope, fingerprint: Buffer | null): Promise<string | null> {
    const holder = randomUUID();
    const claimed = await this.query<unknown[]>(
      `INSERT INTO idempotency_keys AS m (team_id, mode, key_digest, holder, fingerprint, leased_until)
       VALUES ($1, $2, $3, $4, $5, ${LEASE_END})
       ON CONFLICT (team_id, mode, key_digest) DO UPDATE
         SET holder = excluded.holder, fingerprint = excluded.fingerprint, leased_until = excluded.leased_until,
             status = NULL, response = NULL, created_at = now()
         WHERE ${EXPIRED}
       RETURNING holder`,
      scope,
      [holder, fingerprint],
    );
    return claimed.length > 0 ? holder : null;
  }

  async renew(scope: KeyScope, holder: string): Promise<void> {
    await this.query(`UPDATE idempotency_keys SET leased_until = ${LEASE_END} WHERE ${BY_HOLDER}`, scope, [
      holder,
    ]);
  }

  /** Stores the response in the open unit of work. @returns false: another request has claimed the key. */
  async save(
    scope: KeyScope,
    holder: string,
    fingerprint: Buffer,
    response: StoredResponse,
  ): Promise<boolean> {
    const { status, headers, body } = response;
    const [, updated] = await this.query<[unknown[], number]>(
      `UPDATE idempotency_keys SET fingerprint = $5, status = $6, response = $7 WHERE ${BY_HOLDER} RETURNING holder`,
      scope,
      [holder, fingerprint, status, this.secrets.encrypt(JSON.stringify({ headers, body }))],
    );
    return updated > 0;
  }

  /** Releases the key without a response, so that the request can be retried. */
  async release(scope: KeyScope, holder: string): Promise<void> {
    await this.query(`DELETE FROM idempotency_keys WHERE ${BY_HOLDER}`, scope, [holder]);
  }

  private query<T>(sql: string, { teamId, mode, digest }: KeyScope, more: unknown[] = []): Promise<T> {
    return this.work.manager.query<T>(sql, [teamId, mode, digest, ...more]);
  }
}
