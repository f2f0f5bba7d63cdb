import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { Reason, Status } from './api/client';
import { CONSOLE_PATH } from './api/connection';
import { Layout, NotFound, PageError } from './layout/layout';
import type { Filter } from './pages/lists/results';
import { VerifyPage } from './pages/verify/verify-page';

const root = createRootRoute({ component: Layout, notFoundComponent: NotFound });

const verify = createRoute({ getParentRoute: () => root, path: '/', component: VerifyPage });

// Loaded when they are opened, or when the pointer is on their link.
const lists = createRoute({
  getParentRoute: () => root,
  path: '/lists',
  component: lazyRouteComponent(() => import('./pages/lists/lists-page'), 'ListsPage'),
});
const list = createRoute({
  getParentRoute: () => root,
  path: '/lists/$id',
  // A filter is part of the address, so that a reload keeps it.
  validateSearch: ({ status, reason }: Record<string, unknown>): Filter => ({
    ...(typeof status === 'string' && { status: status as Status }),
    ...(typeof reason === 'string' && { reason: reason as Reason }),
  }),
  component: lazyRouteComponent(() => import('./pages/lists/job-page'), 'JobPage'),
});

const team = createRoute({
  getParentRoute: () => root,
  path: '/team',
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: string } =>
    typeof tab === 'string' ? { tab } : {},
  component: lazyRouteComponent(() => import('./pages/team/team-page'), 'TeamPage'),
});
const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page'), 'WebhooksPage'),
});
const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  component: lazyRouteComponent(() => import('./pages/webhooks/webhook-page'), 'WebhookPage'),
});
const system = createRoute({
  getParentRoute: () => root,
  path: '/system',
  component: lazyRouteComponent(() => import('./pages/system/system-page'), 'SystemPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([verify, lists, list, team, webhooks, webhook, system]),
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
    for (const { options } of [lists, list, team, webhooks, webhook, system])
      void (options.component as { preload?: () => Promise<unknown> }).preload?.();
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
