import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Feature as FeatureName, Principal, Role as RoleName } from '../../kernel/principal.js';
import type { AuthenticatedRequest } from './request-log.js';

/**
 * The words on a route that say who may call it. Every route is closed unless it
 * says `@Public()`; the guards of `modules/access` read nothing else.
 */
export interface RoutePolicy {
  /** No credential is asked for. */
  public: boolean;
  /** A key without a user is turned away, whatever its role. */
  needsUser: boolean;
  /** The least role. */
  role: RoleName;
  /** What the team's tier must include. */
  feature: FeatureName | null;
  /** What it must include too, when the query parameter of that name says so. */
  featureWhenAsked: FeatureName | null;
  /** Units of quota that one call may take. */
  cost: number;
  /** A test key may call it although it writes. */
  testKeysToo: boolean;
}

type Word = keyof RoutePolicy;
const word = <W extends Word>(name: W, value: RoutePolicy[W]) => SetMetadata(`access:${name}`, value);

export const Public = () => word('public', true);
export const NeedsUser = () => word('needsUser', true);
export const Role = (role: RoleName) => word('role', role);
export const Feature = (feature: FeatureName) => word('feature', feature);
export const FeatureWhenAsked = (feature: FeatureName) => word('featureWhenAsked', feature);
export const Costs = (units: number) => word('cost', units);
export const TestKeysToo = () => word('testKeysToo', true);

const reflector = new Reflector();
/** By handler: what is written on a route does not change, and four guards read it at every request. */
const known = new WeakMap<object, RoutePolicy>();

export function routePolicy(context: Pick<ExecutionContext, 'getHandler' | 'getClass'>): RoutePolicy {
  const handler = context.getHandler();
  const words = known.get(handler) ?? readWords(context);
  known.set(handler, words);
  return words;
}

function readWords(context: Pick<ExecutionContext, 'getHandler' | 'getClass'>): RoutePolicy {
  const read = <W extends Word>(name: W, otherwise: RoutePolicy[W]): RoutePolicy[W] =>
    reflector.getAllAndOverride<RoutePolicy[W] | undefined>(`access:${name}`, [
      context.getHandler(),
      context.getClass(),
    ]) ?? otherwise;
  return {
    public: read('public', false),
    needsUser: read('needsUser', false),
    role: read('role', 'member'),
    feature: read('feature', null),
    featureWhenAsked: read('featureWhenAsked', null),
    cost: read('cost', 0),
    testKeysToo: read('testKeysToo', false),
  };
}

/** The principal that the bearer guard found; only for routes that are not public. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (principal === undefined) throw new Error('A public route has no caller');
  return principal;
});
