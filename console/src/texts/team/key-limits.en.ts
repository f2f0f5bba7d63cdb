export const keyLimitsEn = {
  keyLimits: {
    what: 'May be used for',
    all: 'everything that its role may do',
    some: 'only this:',
    scopes: {
      verify: 'verify single addresses',
      lists: 'verify lists',
      read: 'read lists, webhooks, outcomes, usage and history',
      webhooks: 'manage webhooks',
      outcomes: 'report and read outcomes',
      all: 'everything',
      usage: 'read the usage',
    },
    networks: 'Only from these networks, one a line',
    only: (uses: string) => `Only: ${uses}`,
    from: (networks: string) => `Only from ${networks}`,
  },
};
