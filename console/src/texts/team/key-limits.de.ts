import type { keyLimitsEn } from './key-limits.en';

export const keyLimitsDe: typeof keyLimitsEn = {
  keyLimits: {
    what: 'Darf benutzt werden für',
    all: 'alles, was seine Rolle darf',
    some: 'nur dies:',
    scopes: {
      verify: 'einzelne Adressen prüfen',
      lists: 'Listen prüfen',
      read: 'Listen, Webhooks, Zustellung, Verbrauch und Verlauf lesen',
      webhooks: 'Webhooks verwalten',
      outcomes: 'Zustellung melden und lesen',
      all: 'alles',
      usage: 'den Verbrauch lesen',
    },
    networks: 'Nur aus diesen Netzen, eines je Zeile',
    only: (uses) => `Nur: ${uses}`,
    from: (networks) => `Nur aus ${networks}`,
  },
};
