import type { breakdownEn } from './breakdown.en';

export const breakdownDe: typeof breakdownEn = {
  breakdown: {
    title: 'Nach Domain und Anbieter',
    by: 'Gruppiert nach',
    groups: { domain: 'Domain', provider: 'Anbieter' },
    none: { domain: 'Keine Domain', provider: 'Nicht bekannt' },
    other: 'Alle anderen',
    empty: 'Noch hat keine Zeile ein Ergebnis.',
    sums: 'Zeilen mit einem Ergebnis, mit Duplikaten.',
  },
};
