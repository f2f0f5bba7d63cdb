import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { CONSOLE_PATH } from './api/connection';
import { jobQuery, queryClient } from './api/queries';
import { currentKey } from './api/session';
import { Layout, NotFound, ReplaceSession } from './layout/layout';
import { PageError } from './layout/page-error';
import { AddTeam } from './layout/team-menu';
import { lazyPage } from './lazy-page';
import { viewOf } from './pages/lists/results';
import { VerdictPart, VerifyPage } from './pages/verify/verify-page';

const root = createRootRoute({ component: Layout, notFoundComponent: NotFound });

const verify = createRoute({ getParentRoute: () => root, path: '/', component: VerifyPage });

const lists = createRoute({
  getParentRoute: () => root,
  path: '/lists',
  component: lazyPage(() => import('./pages/lists/lists-page'), 'ListsPage'),
});
const list = createRoute({
  getParentRoute: () => root,
  path: '/lists/$id',
  validateSearch: viewOf,
  component: lazyPage(() => import('./pages/lists/job-page'), 'JobPage'),
  // Requested beside the script of the page, and not after it.
  loader: ({ params }) => {
    if (currentKey() !== null) void queryClient.prefetchQuery(jobQuery(params.id));
  },
});

const outcomes = createRoute({
  getParentRoute: () => root,
  path: '/outcomes',
  component: lazyPage(() => import('./pages/outcomes/outcomes-page'), 'OutcomesPage'),
});

const team = createRoute({
  getParentRoute: () => root,
  path: '/team',
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: string } =>
    typeof tab === 'string' ? { tab } : {},
  component: lazyPage(() => import('./pages/team/team-page'), 'TeamPage'),
});
const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  component: lazyPage(() => import('./pages/keys/keys-page'), 'KeysPage'),
});
const requests = createRoute({
  getParentRoute: () => root,
  path: '/requests',
  component: lazyPage(() => import('./pages/requests/requests-page'), 'RequestsPage'),
});
const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  component: lazyPage(() => import('./pages/usage/usage-page'), 'UsagePage'),
});
const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyPage(() => import('./pages/webhooks/webhooks-page'), 'WebhooksPage'),
});
const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  component: lazyPage(() => import('./pages/webhooks/webhook-page'), 'WebhookPage'),
});
const system = createRoute({
  getParentRoute: () => root,
  path: '/system',
  component: lazyPage(() => import('./pages/system/system-page'), 'SystemPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    verify,
    lists,
    list,
    outcomes,
    keys,
    requests,
    usage,
    team,
    webhooks,
    webhook,
    system,
  ]),
  basepath: CONSOLE_PATH,
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  scrollRestoration: true,
});

/** From a page of one list or webhook to the page of all: another team has others. */
export function leaveDetails(): void {
  const parent = router.state.matches.some(({ routeId }) => routeId === list.id)
    ? lists
    : router.state.matches.some(({ routeId }) => routeId === webhook.id)
      ? webhooks
      : null;
  if (parent !== null) void router.navigate({ to: parent.to, replace: true });
}

/**
 * Loads the scripts of all pages while the browser is idle, so that they work offline and after an update. One
 * after another, and after the first page: it must not wait for them.
 */
export function preloadPages(): void {
  // Not in Safari.
  const whenIdle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 2_000));
  const stop = router.subscribe('onRendered', () => {
    stop();
    const pages = [lists, list, outcomes, keys, requests, usage, team, webhooks, webhook, system];
    const parts = [VerdictPart, ReplaceSession, AddTeam, ...pages.map(({ options }) => options.component)];
    whenIdle(() => void preload(parts));
  });
}

async function preload(parts: unknown[]): Promise<void> {
  for (const part of parts)
    // A page that is opened while the service cannot be reached says so itself.
    await (part as { preload?: () => Promise<unknown> }).preload?.().catch(() => undefined);
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
