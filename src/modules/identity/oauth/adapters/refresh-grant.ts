import type { errors as OidcErrors, Provider, TokenEndpointGrantContext } from 'oidc-provider';
import type { Clock } from '../../../../kernel/clock.js';
import type { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import type { OAuthRecordRepository } from '../domain/oauth-record.repository.js';
import { scopesIn } from '../domain/oauth-scopes.js';

interface RefreshParts {
  provider: Provider;
  errors: typeof OidcErrors;
  records: OAuthRecordRepository;
  secrets: SecretKeys;
  clock: Clock;
  resource: string;
  resourceServer: ConstructorParameters<Provider['ResourceServer']>[1];
  isKeyValid: (id: string) => Promise<boolean>;
  /** Ends the grant, and its key. */
  endGrant: (grantId: string) => Promise<void>;
}

/** As they were checked before: none is repeated. */
export interface RefreshParameters {
  [name: string]: unknown;
  refresh_token?: string;
  scope?: string;
}
type RefreshContext = TokenEndpointGrantContext<RefreshParameters>;
type RefreshToken = InstanceType<Provider['RefreshToken']>;

/**
 * After the first use of a refresh token. A response can be lost, and two windows of one program can refresh at the same
 * time.
 */
const GRACE_MS = 30_000;
const GRANT_TYPE = 'refresh_token';

/**
 * The grant of RFC 6749 §6, with refresh tokens that are replaced with each use (RFC 9700 §4.14.2). That of the library
 * would mark a token as used before it has read the rest of the request, and end the grant with its second use.
 */
export class RefreshGrant {
  constructor(private readonly parts: RefreshParts) {}

  async handle(context: RefreshContext): Promise<void> {
    const { errors, provider, resource, resourceServer, isKeyValid } = this.parts;
    const { client, params } = context.oidc;
    if (params.refresh_token === undefined) throw new errors.InvalidRequest('Send refresh_token.');
    if (params.resource !== undefined && params.resource !== resource)
      throw new errors.InvalidTarget(`The only resource is ${resource}.`);
    const token = await provider.RefreshToken.find(params.refresh_token);
    if (token === undefined || token.clientId !== client.clientId)
      throw new errors.InvalidGrant('refresh token not found');
    const { accountId = '', grantId = '', gty = '' } = token;
    const grant = await provider.Grant.find(grantId);
    if (grant?.accountId !== accountId || !(await isKeyValid(accountId)))
      throw new errors.InvalidGrant('the grant has ended');
    const allowed = scopesIn(grant.getResourceScopeFiltered(resource, token.scopes));
    // Names of other servers are left out here too.
    const asked = scopesIn(params.scope);
    const wider = asked.filter((scope) => !allowed.includes(scope));
    if (wider.length > 0)
      throw new errors.InvalidScope('the user has not allowed this scope', wider.join(' '));
    const next = await this.successorOf(token, client);
    const access = new provider.AccessToken({ accountId, client, grantId, gty });
    access.resourceServer = new provider.ResourceServer(resource, resourceServer);
    access.scope = (asked.length > 0 ? asked : allowed).join(' ');
    context.body = {
      access_token: await access.save(),
      expires_in: access.expiration,
      refresh_token: next,
      scope: access.scope,
      token_type: access.tokenType,
    };
  }

  /** The token that replaces this one: within the time of grace the same, however often and in which process it is sent. */
  private async successorOf(token: RefreshToken, client: RefreshContext['oidc']['client']): Promise<string> {
    const { records, secrets, clock, provider, errors, endGrant } = this.parts;
    const now = clock.now();
    const [next = '', ...ofFormerKeys] = secrets.successorsOf(token.jti);
    if (await records.consume('RefreshToken', token.jti, now)) {
      const { accountId = '', grantId = '', gty = '', scope = '', resource, rotations = 0 } = token;
      const successor = new provider.RefreshToken({
        ...{ jti: next, client, accountId, grantId, scope, resource, rotations: rotations + 1 },
        gty: gty.endsWith(GRANT_TYPE) ? gty : `${gty} ${GRANT_TYPE}`,
      });
      return successor.save();
    }
    const used = await records.find('RefreshToken', token.jti, now);
    if (used?.consumedAt && now.getTime() - used.consumedAt.getTime() <= GRACE_MS)
      for (const id of [next, ...ofFormerKeys])
        if ((await records.find('RefreshToken', id, now))?.consumedAt === null) return id;
    await endGrant(token.grantId ?? '');
    throw new errors.InvalidGrant('already used');
  }
}
