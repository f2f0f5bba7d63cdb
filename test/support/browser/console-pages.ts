/** The pages of the console by the name of their picture; `:name` is the id of an object. */
export const CONSOLE_PAGES = {
  verify: '/',
  lists: '/lists',
  list: '/lists/:list',
  held: '/lists/:held',
  schedules: '/schedules',
  schedule: '/schedules/:schedule',
  outcomes: '/outcomes',
  policy: '/policy',
  keys: '/keys',
  webhooks: '/webhooks',
  webhook: '/webhooks/:webhook',
  requests: '/requests',
  usage: '/usage',
  team: '/team',
  blocklist: '/team?tab=blocklist',
  audit: '/team?tab=audit',
  system: '/system',
} as const;

/** The address of a page below `/console`. */
export const pathOf = (path: string, ids: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/, (_, name: string) => ids[name] ?? '');
