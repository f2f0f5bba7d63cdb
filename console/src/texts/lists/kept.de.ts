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
    addressesIn: (count: string) =>
      count === '1' ? '1 Adresse in den ersten Zeilen' : `${count} Adressen in den ersten Zeilen`,
    otherColumns: (names: string) =>
      `Adressen stehen auch in: ${names}. Eine Liste prüft eine Spalte: Wählen Sie eine andere, oder prüfen Sie die Datei einmal für jede.`,
    named: (count: string) =>
      count === '1'
        ? '1 Zelle ist wie Name <Adresse> geschrieben: Nur die Adresse wird verwendet.'
        : `${count} Zellen sind wie Name <Adresse> geschrieben: Nur die Adresse wird verwendet.`,
    several: (count: string) =>
      count === '1'
        ? '1 Zelle hat mehrere Adressen: Die erste wird verwendet.'
        : `${count} Zellen haben mehrere Adressen: Die erste wird verwendet.`,
    again: (count: string) =>
      count === '1'
        ? '1 Adresse kommt mehrfach vor und wird einmal geprüft.'
        : `${count} Adressen kommen mehrfach vor und werden einmal geprüft.`,
    emptyCells: (count: string) =>
      count === '1'
        ? '1 Zeile hat keine Adresse: Sie bleibt in der Liste und kostet nichts.'
        : `${count} Zeilen haben keine Adresse: Sie bleiben in der Liste und kosten nichts.`,
    headerRow: 'Spaltennamen stehen in Zeile',
    openList:
      'Diese Liste ist geöffnet: Laden Sie sie hoch, oder brechen Sie ab, und legen Sie dann die nächste Datei ab.',
  },
};
