import type { candidatesEn } from './candidates.en';

export const candidatesDe: typeof candidatesEn = {
  candidates: {
    title: 'Wegwerf-Domains, über die Sie entscheiden',
    intro:
      'Ausnahmen von Teams und Domains, deren Mailserver zu Wegwerf-Domains gehören. Übernehmen: Es gilt für alle Teams. Ablehnen: Eine Ausnahme gilt weiter für ihr Team, und eine gefundene Domain wird nicht wieder vorgeschlagen.',
    domain: 'Domain',
    verdict: 'Sie ist',
    why: 'Warum',
    disposable: 'Wegwerf-Domain',
    not_disposable: 'keine Wegwerf-Domain',
    byTeam: (team: string) => `Ausnahme des Teams ${team}`,
    byMx: (host: string, times: number) => `Ihre Mail geht an ${host}; ${times}-mal gesehen`,
    merge: 'Übernehmen',
    reject: 'Ablehnen',
    none: 'Nichts wartet auf Sie.',
  },
};
