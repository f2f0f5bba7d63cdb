import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { errors as OidcErrors, Client, Interaction, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { Clock } from '../../../../kernel/clock.js';
import { OAUTH_SCOPES } from '../../../../kernel/principal.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { Config } from '../../../../platform/config/config.js';
import { storageError } from '../../../../platform/database/database-storage.js';
import { isDatabaseUnavailable } from '../../../../platform/database/database-unavailable.js';
import { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import { describeError, Log } from '../../../../platform/telemetry/log.js';
import {
  AuthorizationServer,
  GrantKeys,
  type Approval,
  type AuthorizationRequest,
  type Endpoint,
  type Exchange,
} from '../domain/authorization-server.js';
import { OAuthRecordRepository } from '../domain/oauth-record.repository.js';
import { scopesIn } from '../domain/oauth-scopes.js';
import { KnownClients } from './known-clients.js';
import { configurationOf, RESOURCE_SERVER } from './oidc-configuration.js';
import { checkedRequest, libraryRequest, type CheckedRequest } from './oidc-request.js';
import { RefreshGrant, type RefreshParameters } from './refresh-grant.js';

/** What is known of the request that is responded to. */
interface Current {
  /** Whether an error is told to the client, or to the user. */
  mayRedirect: boolean;
  /** What must stay although the request is refused. */
  hasEndedGrant: boolean;
}

type LibraryContext = Pick<KoaContextWithOIDC, 'method' | 'status' | 'set' | 'body'>;

class Refused extends Error {}

/** `oidc-provider`, loaded with the first request: it takes 0.2 s and 25 MB, and most installations do not use it. */
@Injectable()
export class OidcAuthorizationServer extends AuthorizationServer {
  private loading: Promise<Provider> | null = null;
  private readonly base: URL;
  private readonly current = new AsyncLocalStorage<Current>();

  constructor(
    private readonly config: Config,
    private readonly records: OAuthRecordRepository,
    private readonly keys: GrantKeys,
    private readonly clients: KnownClients,
    private readonly secrets: SecretKeys,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
    this.base = new URL(config.publicUrl);
  }

  async respond(exchange: Exchange, endpoint: Endpoint): Promise<void> {
    const { request, response } = exchange as { request: Request; response: Response };
    const checked = await checkedRequest(request, endpoint, this.resource);
    const mayRedirect = endpoint !== 'authorization' || (await this.prepare(checked, request));
    const provider = await this.provider();
    const forwarded = libraryRequest(request, this.base, checked);
    const current = { mayRedirect, hasEndedGrant: false };
    await this.current.run(current, () => provider.callback()(forwarded, response));
  }

  async findRequest(exchange: Exchange): Promise<AuthorizationRequest | null> {
    const provider = await this.provider();
    const interaction = await refusedAsNull(() => provider.interactionDetails(...this.inLibrary(exchange)));
    return interaction && this.toRequest(interaction);
  }

  async answer(exchange: Exchange, approval: Approval | null): Promise<string> {
    const provider = await this.provider();
    const [request, response] = this.inLibrary(exchange);
    if (approval === null) {
      const denied = { error: 'access_denied', error_description: 'the user has denied the request' };
      return provider.interactionResult(request, response, denied, { mergeWithLastSubmission: false });
    }
    const { params } = await provider.interactionDetails(request, response);
    const grant = new provider.Grant({ accountId: approval.keyId, clientId: String(params.client_id) });
    grant.addResourceScope(this.resource, approval.scopes.join(' '));
    const consent = { grantId: await grant.save() };
    const login = { accountId: approval.keyId, remember: false };
    return provider.interactionResult(request, response, { login, consent });
  }

  private get resource(): string {
    return `${this.config.publicUrl}/mcp`;
  }

  /**
   * Before a browser is asked. @returns whether it may be sent to the client with an error: anybody can register a client,
   * and no user has answered yet (RFC 9700 §4.11.2).
   */
  private async prepare({ parameters }: CheckedRequest, { ip = '' }: Request): Promise<boolean> {
    // A client may leave the scopes to the server (RFC 6749 §3.3), and some name only those of other servers.
    const scopes = scopesIn(parameters.scope);
    parameters.scope = (scopes.length === 0 ? OAUTH_SCOPES : scopes).join(' ');
    const { client_id: clientId } = parameters;
    if (clientId === undefined) return false;
    await this.clients.refresh(clientId, ip);
    return this.clients.hasGrant(clientId);
  }

  private async toRequest({ uid, params }: Interaction): Promise<AuthorizationRequest | null> {
    const provider = await this.provider();
    // Its registration may have expired, or its document be gone.
    const client = await refusedAsNull(() => provider.Client.find(String(params.client_id)));
    if (client === null) return null;
    const scopes = scopesIn(params.scope);
    return { id: uid, client: clientOf(client), redirectUri: String(params.redirect_uri), scopes };
  }

  private inLibrary(exchange: Exchange) {
    const { request, response } = exchange as { request: Request; response: Response };
    return [libraryRequest(request, this.base, null), response] as const;
  }

  private async provider(): Promise<Provider> {
    this.loading ??= this.load();
    return this.loading;
  }

  private async load(): Promise<Provider> {
    const { Provider, errors, interactionPolicy } = await import('oidc-provider');
    const { records, keys, clock, secrets, resource } = this;
    const isKeyValid = (id: string) => keys.isValid(id);
    const endGrant = (id: string) => this.endGrant(id);
    const provider = new Provider(
      this.config.publicUrl,
      configurationOf({
        publicUrl: this.config.publicUrl,
        resource,
        cookieKeys: secrets.cookieKeys,
        documentOf: (clientId) => this.clients.find(clientId),
        policy: interactionPolicy,
        ...{ records, clock, errors, isKeyValid, endGrant },
      }),
    );
    provider.proxy = true;
    const resourceServer = RESOURCE_SERVER;
    const refresh = new RefreshGrant({
      ...{ provider, errors, records, secrets, clock, resource, resourceServer, isKeyValid, endGrant },
    });
    provider.registerGrantType<RefreshParameters>(
      'refresh_token',
      (context) => refresh.handle(context),
      ['refresh_token', 'scope', 'resource'],
      [],
    );
    provider.use((context, next) => this.inOneUnit(context, next));
    this.watch(provider, errors);
    return provider;
  }

  private watch(provider: Provider, { OIDCProviderError }: typeof OidcErrors): void {
    // Before the library decides where the error is told.
    provider.on('authorization.error', (_, error) => {
      if (error instanceof OIDCProviderError && this.current.getStore()?.mayRedirect !== true)
        error.allow_redirect = false;
    });
    const logged = (error: unknown) =>
      this.log.error({ err: describeError(error) }, 'authorization server failed');
    provider.on('server_error', (context, error) => {
      logged(error);
      if (isOfDatabase(error)) unavailable(context);
    });
    // Of Koa, which the types of the library leave out.
    (provider as EventEmitter).on('error', logged);
  }

  /** A request to the token endpoint that is refused, or fails, leaves its code or refresh token as it was. */
  private async inOneUnit(context: LibraryContext, next: () => Promise<void>): Promise<void> {
    if (context.method !== 'POST') return next();
    const run = async () => {
      await next();
      if (context.status >= 400 && this.current.getStore()?.hasEndedGrant !== true) throw new Refused();
    };
    await this.work.run(run).catch((error: unknown) => {
      if (error instanceof Refused) return;
      if (!isOfDatabase(error)) throw error;
      unavailable(context);
    });
  }

  private async endGrant(grantId: string): Promise<void> {
    const current = this.current.getStore();
    if (current !== undefined) current.hasEndedGrant = true;
    const grant = await this.records.find('Grant', grantId, this.clock.now());
    await this.records.deleteGrant(grantId);
    if (grant?.keyId !== undefined && grant.keyId !== null) await this.keys.revoke(grant.keyId);
  }
}

/** null: nothing is found, or the library refuses it. @throws unexpected errors. */
async function refusedAsNull<T>(find: () => Promise<T | undefined>): Promise<T | null> {
  const { OIDCProviderError } = (await import('oidc-provider')).errors;
  try {
    return (await find()) ?? null;
  } catch (error) {
    if (error instanceof OIDCProviderError) return null;
    throw error;
  }
}

function isOfDatabase(error: unknown): boolean {
  return isDatabaseUnavailable(error) || storageError(error) !== null;
}

function unavailable(context: LibraryContext): void {
  context.status = 503;
  context.set('Retry-After', '1');
  const body = { error: 'temporarily_unavailable', error_description: 'The database is not available.' };
  if (typeof context.body === 'object') context.body = body;
}

function clientOf({
  clientId,
  clientName,
  clientUri,
  clientIdMetadataDocument,
}: Client & { clientIdMetadataDocument?: boolean }) {
  return {
    id: clientId,
    name: clientName ?? null,
    uri: clientUri ?? null,
    verified: clientIdMetadataDocument === true,
  };
}
