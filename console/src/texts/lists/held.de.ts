import type { heldEn } from './held.en';

export const heldDe: typeof heldEn = {
  held: {
    look: 'Erst ansehen',
    lookHint:
      'Zeigt, was die Liste enthält und was sie höchstens kostet. Vor dem Start wird nichts berechnet.',
    title: 'Was die Liste enthält',
    waiting: 'Die Liste wird gelesen. Es wurde nichts berechnet, und kein Mailserver wird gefragt.',
    rows: 'Zeilen',
    unique: 'Adressen',
    duplicates: 'Duplikate',
    stored: 'Antwort schon bekannt',
    invalid_syntax: 'Keine Adressen',
    disposable: 'Wegwerfadressen',
    role: 'Rollenadressen',
    privacy_relay: 'Weiterleitungsdienste',
    dead_domains: 'Domains ohne Mail',
    max_charge: 'Kostet höchstens',
    units: (count: string) => `${count} ${count === '1' ? 'Prüfung' : 'Prüfungen'}`,
    duration: 'Dauert etwa',
    between: (low: string, high: string) => (low === high ? low : `${low} bis ${high}`),
    providers: 'Anbieter',
    warnings: 'Sehen Sie sich diese Zeilen an',
    line: (line: number) => `Zeile ${line}:`,
    warning: {
      wrong_delimiter:
        'Eine Adresse und andere Zellen stehen in einer Zelle. Vielleicht steht ein anderes Zeichen zwischen den Zellen.',
      repeated_header: 'An der Stelle der Adresse steht der Name der Spalte.',
      several_addresses: 'In einer Zelle stehen mehrere Adressen.',
      wrapped: 'Um die Adresse stehen ein Name oder Zeichen.',
      not_an_address: 'An der Stelle der Adresse steht ein anderer Text.',
      empty_rows: 'Zeilen ohne Adresse. Sie kosten nichts.',
    },
    start: 'Starten',
    discard: 'Verwerfen',
    expires: (time: string) => `Ohne Start wird die Liste ${time} gelöscht.`,
  },
};
