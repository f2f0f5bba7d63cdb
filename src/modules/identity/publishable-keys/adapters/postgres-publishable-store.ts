import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../../kernel/clock.js';
import type { KeyId, PublishableRules } from '../../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { purge } from '../../../../platform/database/transactions/purge.js';
import { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import {
  PublishableStore,
  type AddressLimits,
  type RequestedAddress,
  type RequestDecision,
} from '../domain/publishable-store.js';

/** The first call locks the row of the key, so the order of the clients' rows cannot cause a deadlock. */
const CONSUME_REQUESTS = `
  SELECT refused AS "refusedBy",
         json_build_object('remaining', minute_left, 'secondsLeft', minute_seconds) AS minute,
         json_build_object('remaining', day_left, 'secondsLeft', day_seconds) AS day
    FROM unnest($2::bytea[]) WITH ORDINALITY AS requests (client, n)
   CROSS JOIN LATERAL consume_publishable_request($1, client, $3, $4, $5)
   ORDER BY n`;
const CONSUME_ADDRESS = 'SELECT consume_publishable_address($1, $2, $3) AS allowed';

/** 128 bits: a collision would only make two clients share a limit. */
const HASH_BYTES = 16;
/** Refusals that a process caches until their window ends. */
const MAX_REFUSALS = 20_000;

/**
 * Rows of the tables `publishable_requests` and `publishable_addresses`, also with Redis: a verification is
 * charged in PostgreSQL anyway, and the limits hold while Redis is unavailable or has lost its data.
 */
@Injectable()
export class PostgresPublishableStore extends PublishableStore {
  /** Cached, so that a client that continues after a refusal costs no query. */
  private readonly refusals = new LRUCache<string, { decision: RequestDecision; atMs: number }>({
    max: MAX_REFUSALS,
  });

  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
    private readonly clock: Clock,
  ) {
    super();
  }

  findCachedRefusal(key: KeyId, client: string): RequestDecision | null {
    return this.refusal(key) ?? this.refusal(`${key} ${client}`);
  }

  async consumeRequests(
    key: KeyId,
    clients: readonly string[],
    { perAddress, perDay }: Pick<PublishableRules, 'perAddress' | 'perDay'>,
  ): Promise<RequestDecision[]> {
    const hashes = clients.map((client) => this.hash('publishable client', key, client));
    const atMs = this.clock.monotonicMs();
    const values = [key, hashes, perAddress.perMinute, perAddress.perDay, perDay];
    const decisions = await this.work.pool.query<RequestDecision[]>(CONSUME_REQUESTS, values);
    for (const [n, decision] of decisions.entries()) {
      const name = decision.refusedBy === 'key_day' ? key : `${key} ${clients[n]}`;
      if (decision.refusedBy !== null) this.refusals.set(name, { decision, atMs });
    }
    return decisions;
  }

  async consumeAddress(
    { key, client, domain, address }: RequestedAddress,
    { perClient, perKey }: AddressLimits,
  ): Promise<boolean> {
    const ofClient = this.hash('publishable domain', key, domain, client);
    const ofKey = this.hash('publishable domain', key, domain);
    const scopes = perKey === null ? [ofClient] : [ofClient, ofKey];
    const limits = perKey === null ? [perClient] : [perClient, perKey];
    const values = [scopes, limits, this.hash('publishable address', key, address)];
    const rows = await this.work.pool.query<{ allowed: boolean }[]>(CONSUME_ADDRESS, values);
    return rows[0]?.allowed === true;
  }

  async deleteExpired(): Promise<number> {
    const requests = { table: 'publishable_requests', where: 'day < rcpt_today() - 1', orderBy: 'day' };
    const where = "requested_at <= now() - interval '24 hours'";
    const addresses = { table: 'publishable_addresses', where, orderBy: 'requested_at' };
    return (await purge(this.work, requests)) + (await purge(this.work, addresses));
  }

  /** Stored instead of a client's network address, a domain and an address. */
  private hash(...parts: readonly string[]): Buffer {
    return this.keys.hashAddress(JSON.stringify(parts)).subarray(0, HASH_BYTES);
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
