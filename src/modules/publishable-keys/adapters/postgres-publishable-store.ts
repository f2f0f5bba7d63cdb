import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../kernel/clock.js';
import type { KeyId, PublishableRules } from '../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import { purge } from '../../../platform/database/purge.js';
import { SecretKeys } from '../../../platform/secrets/secret-keys.js';
import type { AddressLimits } from '../domain/harvest-limits.js';
import {
  PublishableStore,
  type AskedAddress,
  type RequestDecision,
  type RequestLimit,
} from '../domain/publishable-store.js';
import { hashesOf, hashOfClient } from './publishable-hashes.js';

const TAKE_REQUEST = `
  SELECT refused, minute_left AS "minuteLeft", day_left AS "dayLeft",
         minute_seconds AS "minuteSeconds", day_seconds AS "daySeconds"
    FROM take_publishable_request($1, $2, $3, $4, $5)`;
const TAKE_ADDRESS = 'SELECT take_publishable_address($1, $2, $3) AS allowed';

interface Row {
  refused: RequestLimit | null;
  minuteLeft: number;
  dayLeft: number;
  minuteSeconds: number;
  daySeconds: number;
}

/** Refusals that a process caches until their window ends. */
const MAX_REFUSALS = 20_000;

/**
 * Rows of the tables `publishable_requests` and `publishable_addresses`, also with Redis: a verification is
 * charged in PostgreSQL anyway, and the limits hold while Redis is unavailable or has lost its data.
 */
@Injectable()
export class PostgresPublishableStore extends PublishableStore {
  /** So that a client who continues after a refusal costs no query. */
  private readonly refusals: LRUCache<string, { decision: RequestDecision; atMs: number }>;

  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
    private readonly clock: Clock,
  ) {
    super();
    this.refusals = new LRUCache({ max: MAX_REFUSALS });
  }

  async takeRequest(
    key: KeyId,
    client: string,
    { perAddress, perDay }: Pick<PublishableRules, 'perAddress' | 'perDay'>,
  ): Promise<RequestDecision> {
    const known = this.refusal(key) ?? this.refusal(`${key} ${client}`);
    if (known !== null) return known;
    const atMs = this.clock.monotonicMs();
    const { perMinute, perDay: perClientAndDay } = perAddress;
    const values = [key, hashOfClient(this.keys, key, client), perMinute, perClientAndDay, perDay];
    const [row] = await this.work.pool.query<Row[]>(TAKE_REQUEST, values);
    if (row === undefined) throw new Error('A function that always answers did not');
    const decision: RequestDecision = {
      refusedBy: row.refused,
      minute: { remaining: row.minuteLeft, secondsLeft: row.minuteSeconds },
      day: { remaining: row.dayLeft, secondsLeft: row.daySeconds },
    };
    if (decision.refusedBy !== null)
      this.refusals.set(decision.refusedBy === 'key_day' ? key : `${key} ${client}`, { decision, atMs });
    return decision;
  }

  async takeAddress(asked: AskedAddress, { perClient, perKey }: AddressLimits): Promise<boolean> {
    const { ofClient, ofKey, address } = hashesOf(this.keys, asked);
    const scopes = perKey === null ? [ofClient] : [ofClient, ofKey];
    const limits = perKey === null ? [perClient] : [perClient, perKey];
    const rows = await this.work.pool.query<{ allowed: boolean }[]>(TAKE_ADDRESS, [scopes, limits, address]);
    return rows[0]?.allowed === true;
  }

  async deleteExpired(): Promise<number> {
    const requests = { table: 'publishable_requests', where: 'day < rcpt_today() - 1', orderBy: 'day' };
    const where = "asked_at <= now() - interval '24 hours'";
    const addresses = { table: 'publishable_addresses', where, orderBy: 'asked_at' };
    return (await purge(this.work, requests)) + (await purge(this.work, addresses));
  }

  /** A refusal whose window has not ended, with the time that is left of it. */
  private refusal(name: string): RequestDecision | null {
    const found = this.refusals.get(name);
    if (found === undefined) return null;
    const { decision, atMs } = found;
    const passed = (this.clock.monotonicMs() - atMs) / 1000;
    const minute = { ...decision.minute, secondsLeft: decision.minute.secondsLeft - passed };
    const day = { ...decision.day, secondsLeft: decision.day.secondsLeft - passed };
    if ((decision.refusedBy === 'client_minute' ? minute : day).secondsLeft > 0)
      return { ...decision, minute, day };
    this.refusals.delete(name);
    return null;
  }
}
