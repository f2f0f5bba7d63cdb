import type { Adapter, AdapterPayload, errors as OidcErrors } from 'oidc-provider';
import type { Clock } from '../../../../kernel/clock.js';
import {
  OAUTH_MODELS,
  type OAuthModel,
  type OAuthRecordRepository,
} from '../domain/oauth-record.repository.js';
import { DAY_MS } from '../../../../kernel/durations.js';

export interface RecordParts {
  records: OAuthRecordRepository;
  clock: Clock;
  errors: typeof OidcErrors;
  /** Ends the grant, and its key. */
  endGrant: (grantId: string) => Promise<void>;
}

/** A registration that no user has answered yes to. */
const UNUSED_MS = DAY_MS;
/** Since the last yes. A grant lasts 30 days. */
const USED_MS = 90 * DAY_MS;
/** Of the refresh token of a grant: once an hour in 30 days is 720 times. */
const MAX_ROTATIONS = 5_000;

/** @returns the storage of a model. Others, such as the session of a browser, are not stored. */
export function recordsOf(model: string, parts: RecordParts): Adapter {
  const isStored = (OAUTH_MODELS as readonly string[]).includes(model);
  return isStored ? new OidcRecords(model as OAuthModel, parts) : NOTHING;
}

/** The storage of one model, as `oidc-provider` calls it. The id is not in the payload: it may be a token. */
class OidcRecords implements Adapter {
  constructor(
    private readonly model: OAuthModel,
    private readonly parts: RecordParts,
  ) {}

  async upsert(id: string, { jti: _, ...payload }: AdapterPayload, expiresIn?: number): Promise<void> {
    const { errors, records } = this.parts;
    if (this.model === 'RefreshToken' && Number(payload.rotations) > MAX_ROTATIONS)
      throw new errors.InvalidGrant('the grant was refreshed too often');
    const isGrant = this.model === 'Grant';
    const ms = this.model === 'Client' ? UNUSED_MS : (expiresIn ?? 0) * 1_000;
    await records.save(this.model, id, {
      payload,
      grantId: isGrant ? id : (payload.grantId ?? null),
      clientId: isGrant ? (payload.clientId ?? null) : null,
      keyId: payload.accountId ?? null,
      expiresAt: this.after(ms),
    });
    if (!isGrant || payload.clientId === undefined) return;
    for (const model of ['Client', 'ClientDocument'] as const)
      await records.extend(model, payload.clientId, this.after(USED_MS));
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.parts.records.find(this.model, id, this.parts.clock.now());
    if (found === null) return undefined;
    const { payload, consumedAt } = found;
    return {
      ...payload,
      ...(this.model !== 'Client' && { jti: id }),
      ...(consumedAt !== null && { consumed: Math.floor(consumedAt.getTime() / 1_000) }),
    };
  }

  /** Of two requests with the same code, the second ends the grant (RFC 6749 §4.1.2). */
  async consume(id: string): Promise<void> {
    const { records, clock, errors, endGrant } = this.parts;
    if (await records.consume(this.model, id, clock.now())) return;
    const used = await records.find(this.model, id, clock.now());
    if (typeof used?.payload.grantId === 'string') await endGrant(used.payload.grantId);
    throw new errors.InvalidGrant('already used');
  }

  async destroy(id: string): Promise<void> {
    if (this.model === 'Grant') await this.parts.endGrant(id);
    else await this.parts.records.delete(this.model, id);
  }

  /** The library also destroys the grant, and with it its codes and tokens. */
  revokeByGrantId = nothing;
  findByUid = nothing;
  findByUserCode = nothing;

  private after(ms: number): Date {
    return new Date(this.parts.clock.now().getTime() + ms);
  }
}

async function nothing(): Promise<undefined> {}

const NOTHING: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};
