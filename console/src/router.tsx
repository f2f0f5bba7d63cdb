import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { CONSOLE_PATH } from './api/connection';
import { jobQuery, queryClient } from './api/queries';
import { currentKey } from './api/session';
import { CommandMenu } from './layout/commands/commands';
import { Layout, LinkQuestion, NotFound, SignInPage } from './layout/layout';
import { PageError } from './layout/page-error';
import { AddTeam } from './layout/team-menu';
import { lazyPage } from './lazy-page';
import type { NewSearch } from './ui/use-new';
import { viewOf } from './pages/lists/results';
import type { AuditFilter } from './pages/team/audit-filter';
import type { DeliveryFilter } from './pages/webhooks/delivery-filters';
import { VerdictPart, VerifyPage } from './pages/verify/verify-page';

type TeamSearch = AuditFilter & NewSearch & { tab?: string };

const asksForNew = ({ new: asked }: Record<string, unknown>): NewSearch =>
  asked === true ? { new: true } : {};

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

const schedules = createRoute({
  getParentRoute: () => root,
  path: '/schedules',
  validateSearch: asksForNew,
  component: lazyPage(() => import('./pages/schedules/schedules-page'), 'SchedulesPage'),
});
const schedule = createRoute({
  getParentRoute: () => root,
  path: '/schedules/$id',
  component: lazyPage(() => import('./pages/schedules/schedule-page'), 'SchedulePage'),
});

const outcomes = createRoute({
  getParentRoute: () => root,
  path: '/outcomes',
  validateSearch: asksForNew,
  component: lazyPage(() => import('./pages/outcomes/outcomes-page'), 'OutcomesPage'),
});

const policy = createRoute({
  getParentRoute: () => root,
  path: '/policy',
  validateSearch: asksForNew,
  component: lazyPage(() => import('./pages/policy/policy-page'), 'PolicyPage'),
});

const team = createRoute({
  getParentRoute: () => root,
  path: '/team',
  // The filter of the audit log is part of the address.
  validateSearch: (search: Record<string, unknown>): TeamSearch =>
    Object.fromEntries([
      ...['tab', 'actor', 'action', 'from', 'to']
        .map((name) => [name, search[name]])
        .filter(([, value]) => typeof value === 'string'),
      ...Object.entries(asksForNew(search)),
    ]) as TeamSearch,
  component: lazyPage(() => import('./pages/team/team-page'), 'TeamPage'),
});
const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  // Opens the dialog for a new key.
  validateSearch: ({ new: kind }: Record<string, unknown>): { new?: 'secret' | 'publishable' } =>
    kind === 'secret' || kind === 'publishable' ? { new: kind } : {},
  component: lazyPage(() => import('./pages/keys/keys-page'), 'KeysPage'),
});
const requests = createRoute({
  getParentRoute: () => root,
  path: '/requests',
  validateSearch: ({ id, code }: Record<string, unknown>): { id?: string; code?: string } => ({
    ...(typeof id === 'string' && { id }),
    ...(typeof code === 'string' && { code }),
  }),
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
  validateSearch: asksForNew,
  component: lazyPage(() => import('./pages/webhooks/webhooks-page'), 'WebhooksPage'),
});
const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  validateSearch: ({ status, type, from, to }: Record<string, unknown>): DeliveryFilter => ({
    ...(typeof status === 'string' && { status: status as DeliveryFilter['status'] }),
    ...(typeof type === 'string' && { type: type as DeliveryFilter['type'] }),
    ...(typeof from === 'string' && { from }),
    ...(typeof to === 'string' && { to }),
  }),
  component: lazyPage(() => import('./pages/webhooks/webhook-page'), 'WebhookPage'),
});
const system = createRoute({
  getParentRoute: () => root,
  path: '/system',
  component: lazyPage(() => import('./pages/system/system-page'), 'SystemPage'),
});

/** With a script of their own. */
const pages = [
  lists,
  list,
  schedules,
  schedule,
  outcomes,
  policy,
  keys,
  requests,
  usage,
  team,
  webhooks,
  webhook,
  system,
] as const;

export const router = createRouter({
  routeTree: root.addChildren([verify, ...pages]),
  basepath: CONSOLE_PATH,
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  scrollRestoration: true,
});

/** From a page of one list, schedule or webhook to the page of all: another team has others. */
export function leaveDetails(): void {
  const parents = { [list.id]: lists, [schedule.id]: schedules, [webhook.id]: webhooks };
  for (const { routeId } of router.state.matches) {
    const parent = parents[routeId as keyof typeof parents];
    if (parent !== undefined) void router.navigate({ to: parent.to, replace: true });
  }
}

/**
 * Loads the scripts of all pages while the browser is idle, so that they work offline and after an update. One
 * after another, and after the first page: it must not wait for them.
 */
export function preloadPages(): void {
  // Only Chromium tells it. A page is then loaded when it is opened.
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData === true) return;
  // Not in Safari.
  const whenIdle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 2_000));
  const stop = router.subscribe('onRendered', () => {
    stop();
    const parts = [
      // First, because it is the page itself where nobody is signed in.
      SignInPage,
      VerdictPart,
      LinkQuestion,
      AddTeam,
      CommandMenu,
      ...pages.map(({ options }) => options.component),
    ];
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
