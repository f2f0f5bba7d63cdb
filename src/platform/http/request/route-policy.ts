import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  SCOPES,
  type Feature as FeatureName,
  type Principal,
  type Role as RoleName,
  type Scope as ScopeName,
} from '../../../kernel/principal.js';
import { clientNetworkOf } from '../../net/client-network.js';
import type { AuthenticatedRequest } from './request-log.js';

/** Days in UTC. */
export interface Deprecation {
  since: string;
  /** From then on the route may be gone; null: not decided. */
  sunset: string | null;
  /** What to use instead: a path of this service, or a URL. */
  link: string;
}

/**
 * The rules of a route, set by its decorators. Every route requires a key unless it has `@Public()`. The guards of
 * `modules/identity/access` read only this policy.
 */
export type RoutePolicy = typeof DEFAULTS;

const DEFAULTS = {
  /** No credential is required. */
  public: false,
  /** Service keys are rejected, whatever their role. */
  needsUser: false,
  /** The lowest role that may call the route. */
  role: 'member' as RoleName,
  /** A credential with one of these scopes may call the route. Without any, it must have the scope `all`. */
  scopes: [] as readonly ScopeName[],
  /**
   * A key that is limited to networks may not call the route: it could get a credential that works from everywhere, or
   * have data of the team sent elsewhere.
   */
  notFromLimitedNetworks: false,
  /** The feature that the tier must include. */
  feature: null as FeatureName | null,
  /** A feature that the tier must also include if the query parameter of that name is true. */
  featureWhenRequested: null as FeatureName | null,
  /** With this query parameter true, the call needs neither the feature nor quota. */
  freeWhenRequested: null as string | null,
  /** Quota units that one call may use. */
  cost: 0,
  /** Test keys may call the route although it writes. */
  testKeysAllowed: false,
  /** Publishable keys may call the route, from pages of other origins. */
  publishableKeysAllowed: false,
  /** A script in a page of another origin than that of the service may not call the route, even with a key. */
  ownOriginOnly: false,
  /** Scripts in pages of every origin may call the route and read its responses: it needs a token, or nothing, and never a cookie. */
  anyOrigin: false,
  /** The path of the metadata of the protected resource (RFC 9728 §3.1), which a refusal without a key names. */
  resourceMetadata: null as string | null,
  /** A header that may have the key, and takes precedence; then `Authorization` may have it without a scheme too. */
  keyHeader: null as string | null,
  /** Errors are `{"error": "…"}` with the sentence of the problem, for clients of another product. */
  plainErrors: false,
  /** The handler reads the body as a stream. */
  streamsBody: false,
  /** The handler and the response that is stored for replays are not one unit of work. */
  multipleTransactions: false,
  /** Members of the response that are stored and replayed as null. */
  shownOnce: [] as readonly string[],
  /** Set by `@Deprecated()`. */
  deprecated: null as Deprecation | null,
  /** The request context is open also for GET. */
  inRequestContext: false,
};

export const setPolicy = <P extends keyof RoutePolicy>(name: P, value: RoutePolicy[P]) =>
  SetMetadata(`route:${name}`, value);

export const Public = () => setPolicy('public', true);
export const NeedsUser = () => setPolicy('needsUser', true);
export const Role = (role: RoleName) => setPolicy('role', role);
export const Scope = (...scopes: [ScopeName, ...ScopeName[]]) => setPolicy('scopes', scopes);
export const AnyScope = () => setPolicy('scopes', SCOPES);
export const NotFromLimitedNetworks = () => setPolicy('notFromLimitedNetworks', true);
export const Feature = (feature: FeatureName) => setPolicy('feature', feature);
export const FeatureWhenRequested = (feature: FeatureName) => setPolicy('featureWhenRequested', feature);
export const FreeWhenRequested = (parameter: string) => setPolicy('freeWhenRequested', parameter);
export const Costs = (units: number) => setPolicy('cost', units);
export const AllowTestKeys = () => setPolicy('testKeysAllowed', true);
export const AllowPublishableKeys = () => setPolicy('publishableKeysAllowed', true);
export const OwnOriginOnly = () => setPolicy('ownOriginOnly', true);
export const AnyOrigin = () => setPolicy('anyOrigin', true);
export const KeyAlsoIn = (header: string) => setPolicy('keyHeader', header);
export const PlainErrors = () => setPolicy('plainErrors', true);
export const ProtectedResource = (metadata: string) => setPolicy('resourceMetadata', metadata);

const reflector = new Reflector();
/** Policies by handler, because four guards read the policy of every request. */
const policies = new WeakMap<object, RoutePolicy>();

export function routePolicy(context: Pick<ExecutionContext, 'getHandler' | 'getClass'>): RoutePolicy {
  const handler = context.getHandler();
  const policy = policies.get(handler) ?? readPolicy(context);
  policies.set(handler, policy);
  return policy;
}

function readPolicy(context: Pick<ExecutionContext, 'getHandler' | 'getClass'>): RoutePolicy {
  const targets = [context.getHandler(), context.getClass()];
  const properties = Object.entries(DEFAULTS).map(([name, preset]: [string, unknown]) => [
    name,
    reflector.getAllAndOverride<unknown>(`route:${name}`, targets) ?? preset,
  ]);
  return Object.fromEntries(properties) as RoutePolicy;
}

/** Injects the network of the client: an IPv4 address, or the /64 of an IPv6 address. */
export const ClientNetwork = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  clientNetworkOf(context.switchToHttp().getRequest<AuthenticatedRequest>().ip ?? ''),
);

/** Injects the principal. Only for routes that are not public. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (principal === undefined) throw new Error('A public route has no caller');
  return principal;
});
