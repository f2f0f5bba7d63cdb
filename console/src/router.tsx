import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { Reason, Status } from './api/client';
import { CONSOLE_PATH } from './api/connection';
import { Layout, NotFound } from './layout/layout';
import { PageError, PageNotLoaded } from './layout/page-error';
import type { Filter } from './pages/lists/results';
import { VerifyPage } from './pages/verify/verify-page';

const root = createRootRoute({ component: Layout, notFoundComponent: NotFound });

const verify = createRoute({ getParentRoute: () => root, path: '/', component: VerifyPage });

/** A style sheet is requested once only, so that a page would be shown without it after a failure. */
let mustReload = false;

/**
 * Loaded when it is opened, or when the pointer is on its link. The error is our own: with that of the import
 * the router reloads the tab, also while the service cannot be reached.
 */
const page = <Module extends object, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) =>
  lazyRouteComponent(async () => {
    if (mustReload) throw new PageNotLoaded('An earlier page could not be loaded');
    try {
      return await load();
    } catch (cause) {
      mustReload = true;
      throw new PageNotLoaded('The page could not be loaded', { cause });
    }
  }, name);

const lists = createRoute({
  getParentRoute: () => root,
  path: '/lists',
  component: page(() => import('./pages/lists/lists-page'), 'ListsPage'),
});
const list = createRoute({
  getParentRoute: () => root,
  path: '/lists/$id',
  // A filter is part of the address, so that a reload keeps it.
  validateSearch: ({ status, reason }: Record<string, unknown>): Filter => ({
    ...(typeof status === 'string' && { status: status as Status }),
    ...(typeof reason === 'string' && { reason: reason as Reason }),
  }),
  component: page(() => import('./pages/lists/job-page'), 'JobPage'),
});

const outcomes = createRoute({
  getParentRoute: () => root,
  path: '/outcomes',
  component: page(() => import('./pages/outcomes/outcomes-page'), 'OutcomesPage'),
});

const team = createRoute({
  getParentRoute: () => root,
  path: '/team',
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: string } =>
    typeof tab === 'string' ? { tab } : {},
  component: page(() => import('./pages/team/team-page'), 'TeamPage'),
});
const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: page(() => import('./pages/webhooks/webhooks-page'), 'WebhooksPage'),
});
const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  component: page(() => import('./pages/webhooks/webhook-page'), 'WebhookPage'),
});
const system = createRoute({
  getParentRoute: () => root,
  path: '/system',
  component: page(() => import('./pages/system/system-page'), 'SystemPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([verify, lists, list, outcomes, team, webhooks, webhook, system]),
  basepath: CONSOLE_PATH,
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  scrollRestoration: true,
});

/** Loads the scripts of all pages while the browser is idle, so that they work offline and after an update. */
export function preloadPages(): void {
  // Not in Safari.
  const whenIdle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 2_000));
  whenIdle(() => {
    for (const { options } of [lists, list, outcomes, team, webhooks, webhook, system])
      void (options.component as { preload?: () => Promise<unknown> }).preload?.();
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
