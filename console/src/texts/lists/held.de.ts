import type { heldEn } from './held.en';

export const heldDe: typeof heldEn = {
  held: {
    next: 'Weiter',
    nextHint:
      'Lädt die Liste hoch und zeigt, was sie enthält und was sie höchstens kostet. Vor dem Start wird nichts berechnet.',
    lookOnly:
      'Sie können ansehen, was eine Liste enthält und kostet. Um sie zu starten, braucht das Team einen Tarif mit Listen. Mit einem Testschlüssel lassen sich Listen kostenlos ausprobieren.',
    once: 'Jedes Postfach einmal prüfen',
    onceHint:
      'Manche Anbieter stellen mehrere Adressen in ein Postfach zu, etwa jane@gmail.com und j.ane+news@gmail.com. Nur die erste wird geprüft und berechnet; die anderen bekommen dasselbe Ergebnis.',
    title: 'Was die Liste enthält',
    waiting: 'Die Liste wird gelesen. Es wurde nichts berechnet, und kein Mailserver wird gefragt.',
    isRead: 'Die Liste ist gelesen. Es wurde nichts berechnet und kein Mailserver gefragt.',
    rowCount: (rows: string) => `${rows} ${rows === '1' ? 'Zeile' : 'Zeilen'}`,
    parts: {
      unique: (count, n) => `${count} ${n === 1 ? 'Adresse' : 'Adressen'}`,
      mailboxes: (count, n) => `${count} ${n === 1 ? 'Postfach' : 'Postfächer'}`,
      duplicates: (count) => `${count} noch einmal`,
      invalid_syntax: (count, n) =>
        n === 1
          ? `${count} Text, der keine Adresse ist`
          : `${count} verschiedene Texte, die keine Adressen sind`,
      empty: (count) => `${count} leer`,
    },
    none: (names) => `Nichts davon: ${names}.`,
    testKey: 'ein Testschlüssel kostet nichts',
    change: 'Die Datei anders lesen',
    group: (count) =>
      count === 1 ? '1 Liste wartet auf ihren Start' : `${count} Listen warten auf ihren Start`,
    many: (count, most) => `${count} von höchstens ${most} Listen warten auf ihren Start.`,
    full: (most) =>
      `${most} Listen warten auf ihren Start, mehr dürfen es nicht sein. Starten oder löschen Sie eine davon, bevor Sie eine weitere hochladen.`,
    show: 'Zeigen',
    stored: 'Antwort schon bekannt',
    disposable: 'Wegwerfadressen',
    role: 'Rollenadressen',
    privacy_relay: 'Weiterleitungsdienste',
    dead_addresses: 'An Domains ohne Mail',
    max_charge: 'Kostet höchstens',
    units: (count: string) => `${count} ${count === '1' ? 'Prüfung' : 'Prüfungen'}`,
    duration: 'Dauert etwa',
    between: (low: string, high: string) => (low === high ? low : `${low} bis ${high}`),
    providers: 'Anbieter',
    warnings: 'Sehen Sie sich diese Zeilen an',
    line: (line: number) => `Zeile ${line}:`,
    warning: {
      encoding:
        'Die Zeichencodierung ist wohl nicht Windows-1252. Laden Sie die Datei neu hoch, und wählen Sie die richtige.',
      wrong_delimiter:
        'Eine Adresse und andere Zellen stehen in einer Zelle. Vielleicht steht ein anderes Zeichen zwischen den Zellen.',
      repeated_header: 'An der Stelle der Adresse steht der Name der Spalte.',
      several_addresses: 'In einer Zelle stehen mehrere Adressen.',
      wrapped: 'Um die Adresse stehen ein Name oder Zeichen.',
      not_an_address: 'An der Stelle der Adresse steht ein anderer Text.',
      empty_rows: 'Zeilen ohne Adresse. Sie kosten nichts.',
    },
    start: 'Starten',
    startFor: (count: string) =>
      count === '0'
        ? 'Starten: kostet nichts'
        : `Starten: höchstens ${count} ${count === '1' ? 'Prüfung' : 'Prüfungen'}`,
    discard: 'Löschen',
    discarded: (name: string) => `„${name}“ wurde gelöscht.`,
    expires: (time: string) => `Ohne Start wird die Liste am ${time} gelöscht.`,
    decide: 'Starten oder löschen',
    until: (time: string) => `bis ${time}`,
    refused: {
      quota: (count: string, left: string) =>
        `Der Start braucht eine Prüfung für jede der ${count} Adressen, und heute sind ${left} übrig. Die Liste wurde nicht gestartet.`,
      isTested:
        'Mit einem Testschlüssel wird immer nur eine Liste geprüft. Starten Sie diese, wenn die andere fertig ist.',
      tooMany: (limit: string) =>
        `Es dürfen höchstens ${limit} Listen auf ihren Start warten. Starten oder löschen Sie eine davon.`,
      gone: 'Die Liste wurde gelöscht oder nicht innerhalb von 24 Stunden gestartet. Laden Sie sie noch einmal hoch.',
      queueFull: 'Zu viele Zeilen warten auf ihre Prüfung. Die Liste bleibt hier: Starten Sie sie später.',
    },
  },
};
