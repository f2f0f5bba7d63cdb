import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client, Interaction, Provider } from 'oidc-provider';
import { Clock } from '../../../kernel/clock.js';
import { Config } from '../../../platform/config/config.js';
import { NetworkLimiter } from '../../../platform/memory/network-limiter.js';
import { clientNetworkOf } from '../../../platform/net/client-network.js';
import { SecretKeys } from '../../../platform/secrets/secret-keys.js';
import { describeError, Log } from '../../../platform/telemetry/log.js';
import {
  AuthorizationServer,
  GrantKeys,
  type Approval,
  type AuthorizationRequest,
  type Exchange,
} from '../domain/authorization-server.js';
import { OAuthRecordRepository } from '../domain/oauth-record.repository.js';
import { scopesIn } from '../domain/oauth-scopes.js';
import { ClientDocuments } from './client-documents.js';
import { configurationOf } from './oidc-configuration.js';

type Incoming = IncomingMessage & { originalUrl?: string; ip?: string };
type Outgoing = ServerResponse;

/** Metadata documents that are fetched. */
const FETCHES = { ofNetwork: 20, inAll: 300, windowMs: 600_000 };

/** `oidc-provider`, loaded with the first request: it takes 0.2 s and 25 MB, and most installations do not use it. */
@Injectable()
export class OidcAuthorizationServer extends AuthorizationServer {
  private loading: Promise<Provider> | null = null;
  private readonly base: URL;
  private readonly fetches: NetworkLimiter;
  /** The request that is responded to. The library does not know it where a page of the console asks. */
  private readonly current = new AsyncLocalStorage<Incoming>();

  constructor(
    private readonly config: Config,
    private readonly records: OAuthRecordRepository,
    private readonly keys: GrantKeys,
    private readonly documents: ClientDocuments,
    private readonly secrets: SecretKeys,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
    this.base = new URL(config.publicUrl);
    this.fetches = new NetworkLimiter(clock, FETCHES);
  }

  async respond(exchange: Exchange): Promise<void> {
    const provider = await this.provider();
    const { request, response } = this.withPublicUrl(exchange);
    await this.current.run(request, () => provider.callback()(request, response));
  }

  async findRequest(exchange: Exchange): Promise<AuthorizationRequest | null> {
    const provider = await this.provider();
    const { request, response } = this.withPublicUrl(exchange);
    const interaction = await refusedAsNull(() => provider.interactionDetails(request, response));
    return interaction && this.current.run(request, () => this.toRequest(interaction));
  }

  async answer(exchange: Exchange, approval: Approval | null): Promise<string> {
    const provider = await this.provider();
    const { request, response } = this.withPublicUrl(exchange);
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

  private async toRequest({ uid, params }: Interaction): Promise<AuthorizationRequest | null> {
    const provider = await this.provider();
    // Its registration may have expired, or its document be gone.
    const client = await refusedAsNull(() => provider.Client.find(String(params.client_id)));
    if (client === null) return null;
    const scopes = scopesIn(params.scope);
    return { id: uid, client: clientOf(client), redirectUri: String(params.redirect_uri), scopes };
  }

  /** Whatever a proxy has changed, addresses of this service begin with `PUBLIC_URL`. */
  private withPublicUrl(exchange: Exchange): { request: Incoming; response: Outgoing } {
    const { request, response } = exchange as { request: Incoming; response: Outgoing };
    const { host, protocol, pathname } = this.base;
    request.headers['x-forwarded-host'] = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    request.originalUrl = `${pathname.replace(/\/$/, '')}${request.url ?? '/'}`;
    return { request, response };
  }

  private async provider(): Promise<Provider> {
    this.loading ??= this.load();
    return this.loading;
  }

  private async load(): Promise<Provider> {
    const { Provider, errors, interactionPolicy } = await import('oidc-provider');
    const { records, keys, clock, documents } = this;
    const provider = new Provider(
      this.config.publicUrl,
      configurationOf({
        publicUrl: this.config.publicUrl,
        resource: this.resource,
        cookieKeys: this.secrets.cookieKeys,
        records,
        keys,
        clock,
        documents,
        errors,
        mayFetch: () => this.mayFetch(),
        policy: interactionPolicy,
      }),
    );
    provider.proxy = true;
    const logged = (error: unknown) =>
      this.log.error({ err: describeError(error) }, 'authorization server failed');
    provider.on('server_error', (_context, error) => logged(error));
    // Of Koa, which the types of the library leave out.
    (provider as EventEmitter).on('error', logged);
    return provider;
  }

  private mayFetch(): boolean {
    return this.fetches.consume(clientNetworkOf(this.current.getStore()?.ip ?? '')) === 0;
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
