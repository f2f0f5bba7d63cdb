import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { InvalidRequest, LiveKeyRequired } from '../../../kernel/errors.js';
import type { Mode, OAuthScope, Principal } from '../../../kernel/principal.js';
import { ClientKeysService } from '../api-keys/client-keys.service.js';
import {
  AuthorizationServer,
  GRANT_DAYS,
  type AuthorizationRequest,
  type Exchange,
} from './domain/authorization-server.js';
import { OAuthRecordRepository } from './domain/oauth-record.repository.js';
import { AuthorizationRequestGone } from './oauth.errors.js';

/** What a user allows. `scopes` are some of those that the client has asked for. */
export interface Permission {
  mode: Mode;
  scopes: readonly OAuthScope[] | undefined;
}

const GRANT_MS = GRANT_DAYS * 86_400_000;
const MAX_NAME_LENGTH = 80;
/** Control characters, those that change the direction of the text around them, and halves of characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]+/gu;

/** A user answers the request of a client, in the browser in which it began. */
@Injectable()
export class ConsentService {
  constructor(
    private readonly server: AuthorizationServer,
    private readonly records: OAuthRecordRepository,
    private readonly keys: ClientKeysService,
    private readonly clock: Clock,
  ) {}

  /** @throws AuthorizationRequestGone */
  async get(exchange: Exchange, id: string): Promise<AuthorizationRequest> {
    const request = await this.server.findRequest(exchange);
    if (request === null || request.id !== id) throw new AuthorizationRequestGone();
    return request;
  }

  /** @returns where the browser goes on. @throws AuthorizationRequestGone */
  async deny(exchange: Exchange, id: string): Promise<string> {
    await this.claim(await this.get(exchange, id));
    return this.server.answer(exchange, null);
  }

  /**
   * Allows the client to act as the user of the caller, for 30 days.
   *
   * @returns where the browser goes on
   * @throws AuthorizationRequestGone, InvalidRequest, LiveKeyRequired
   */
  async allow(exchange: Exchange, id: string, caller: Principal, permission: Permission): Promise<string> {
    const request = await this.get(exchange, id);
    const { mode } = permission;
    if (mode === 'live' && caller.mode !== 'live') throw new LiveKeyRequired();
    const scopes = request.scopes.filter((scope) => permission.scopes?.includes(scope) ?? true);
    if (scopes.length === 0) throw new InvalidRequest([NOTHING_ALLOWED]);
    await this.claim(request);
    const { id: clientId, name, verified } = request.client;
    const client = { id: clientId, name: readable(name), verified };
    const expiresAt = new Date(this.clock.now().getTime() + GRANT_MS);
    const key = await this.keys.issue(caller, {
      name: (client.name ?? client.id).slice(0, MAX_NAME_LENGTH),
      mode,
      scopes,
      expiresAt,
      client,
    });
    return this.server.answer(exchange, { keyId: key.id, scopes });
  }

  /** Of two answers one is accepted. */
  private async claim({ id }: AuthorizationRequest): Promise<void> {
    if (!(await this.records.consume('Interaction', id, this.clock.now())))
      throw new AuthorizationRequestGone();
  }
}

const NOTHING_ALLOWED = {
  pointer: '/scopes',
  code: 'invalid_value',
  message: 'Send at least one of the scopes that the program has asked for.',
};

/** The name of a client as the list of keys can show, and PostgreSQL can store it. null: nothing is left. */
function readable(name: string | null): string | null {
  return (name ?? '').replaceAll(INVISIBLE, ' ').trim() || null;
}
