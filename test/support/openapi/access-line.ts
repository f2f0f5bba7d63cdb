import type { routesOf } from './routes.js';

type Route = ReturnType<typeof routesOf>[number];

/** A route and who may call it, as the access table shows them. */
export function accessLine({ method, path, policy }: Route): string {
  const route = `${method.padEnd(6)} ${path.padEnd(34)}`;
  if (policy.public) return `${route} public`;
  const role = `${policy.role}${policy.needsUser ? ', a user' : ''}`;
  const modes = method === 'GET' || policy.testKeysAllowed ? 'live, test' : 'live';
  const keys = policy.publishableKeysAllowed ? `${modes}, pub` : modes;
  const when = policy.featureWhenRequested ? ` (${policy.featureWhenRequested} when requested)` : '';
  const unless = policy.freeWhenRequested ? `unless ${policy.freeWhenRequested}` : '';
  const cost = policy.cost > 0 ? `costs ${policy.cost}` : '';
  const limits = [`${policy.feature ?? ''}${when}`, cost, unless].filter(Boolean).join(', ');
  return `${route} ${role.padEnd(14)} ${keys.padEnd(10)} ${limits}`.trimEnd();
}
