import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { Reason, Status } from './api/client';
import { CONSOLE_PATH } from './api/connection';
import { Layout, NotFound } from './layout/layout';
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
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
