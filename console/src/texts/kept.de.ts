import type { keptEn } from './kept.en';

export const keptDe: typeof keptEn = {
  kept: {
    send: 'Nur die Adressen senden; die anderen Spalten bleiben in diesem Browser',
    sendHint:
      'Beim Herunterladen werden sie hier mit den Ergebnissen verbunden, beim Abmelden werden sie gelöscht.',
    full: (megabytes: number) =>
      `Dieser Browser behält höchstens ${megabytes} MB anderer Spalten. Löschen Sie eine Liste, deren Spalten er behält, oder senden Sie alle Spalten.`,
    noStorage:
      'Dieser Browser kann die anderen Spalten nicht speichern. Geben Sie Speicher frei, oder senden Sie alle Spalten.',
    here: 'Die anderen Spalten dieser Liste sind nur in diesem Browser. Dateien, die Sie hier herunterladen, enthalten sie.',
    columns: 'Ihre Spalten',
    elsewhere:
      'Die anderen Spalten dieser Liste sind nicht in diesem Browser: Sie blieben in dem, der sie gesendet hat, oder wurden dort gelöscht. Ergebnisse haben hier nur die Adressen.',
  },
};
