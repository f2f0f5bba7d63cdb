import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { BatchedWriter } from '../../../kernel/concurrency/batched-writer.js';
import type { KeyId, PublishableRules } from '../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../platform/database/transactions/postgres-unit-of-work.js';
import { purge } from '../../../platform/database/transactions/purge.js';
import { LruCache } from '../../../platform/memory/lru-cache.js';
import { SecretKeys } from '../../../platform/secrets/secret-keys.js';
import {
  PublishableStore,
  type AddressLimits,
  type RequestedAddress,
  type RequestDecision,
  type RequestLimit,
  type StatementRunner,
} from '../domain/publishable-store.js';

/** The first call locks the row of the key, so the order of the clients' rows cannot cause a deadlock. */
const CONSUME_REQUESTS = `
  SELECT refused, minute_left AS "minuteLeft", day_left AS "dayLeft",
         minute_seconds AS "minuteSeconds", day_seconds AS "daySeconds"
    FROM unnest($2::bytea[]) WITH ORDINALITY AS requests (client, n)
   CROSS JOIN LATERAL consume_publishable_request($1, client, $3, $4, $5)
   ORDER BY n`;
const CONSUME_ADDRESS = 'SELECT consume_publishable_address($1, $2, $3) AS allowed';

interface Request {
  key: KeyId;
  client: string;
  rules: Pick<PublishableRules, 'perAddress' | 'perDay'>;
  inSlot: StatementRunner;
}

interface Row {
  refused: RequestLimit | null;
  minuteLeft: number;
  dayLeft: number;
  minuteSeconds: number;
  daySeconds: number;
}

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
  private readonly refusals: LruCache<string, { decision: RequestDecision; atMs: number }>;

  /** Statements of one key lock its row, so concurrent ones would wait, each with a connection. */
  private readonly requests = new BatchedWriter<Request, RequestDecision>({
    write: (requests) => this.consumeAll(requests),
  });

  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
    private readonly clock: Clock,
  ) {
    super();
    this.refusals = new LruCache(MAX_REFUSALS);
  }

  knownRefusal(key: KeyId, client: string): RequestDecision | null {
    return this.refusal(key) ?? this.refusal(`${key} ${client}`);
  }

  async consumeRequest(
    key: KeyId,
    client: string,
    rules: Pick<PublishableRules, 'perAddress' | 'perDay'>,
    inSlot: StatementRunner = (statement) => statement(),
  ): Promise<RequestDecision> {
    return this.knownRefusal(key, client) ?? this.requests.add(key, { key, client, rules, inSlot });
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

  /** @param requests of one key, whose rules and team do not change. */
  private async consumeAll(requests: readonly Request[]): Promise<RequestDecision[]> {
    const [first] = requests;
    if (first === undefined) return [];
    const { key, inSlot } = first;
    const { perAddress, perDay } = first.rules;
    const clients = requests.map(({ client }) => this.hash('publishable client', key, client));
    const values = [key, clients, perAddress.perMinute, perAddress.perDay, perDay];
    const { rows, atMs } = await inSlot(async () => ({
      atMs: this.clock.monotonicMs(),
      rows: await this.work.pool.query<Row[]>(CONSUME_REQUESTS, values),
    }));
    if (rows.length !== requests.length) throw new Error('A function that always answers did not');
    return rows.map((row, n) => {
      const decision = toDecision(row);
      const name = row.refused === 'key_day' ? key : `${key} ${requests[n]?.client}`;
      if (row.refused !== null) this.refusals.set(name, { decision, atMs });
      return decision;
    });
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

function toDecision(row: Row): RequestDecision {
  return {
    refusedBy: row.refused,
    minute: { remaining: row.minuteLeft, secondsLeft: row.minuteSeconds },
    day: { remaining: row.dayLeft, secondsLeft: row.daySeconds },
  };
}
