import type { scheduleFormEn } from './schedule-form.en';

export const scheduleFormDe: typeof scheduleFormEn = {
  scheduleForm: {
    weekday: 'Am',
    day: 'Am Tag',
    dayOf: (day) => (day === 31 ? 'der letzte Tag' : day > 28 ? `${day}. oder der letzte Tag` : `${day}.`),
    columnHint: 'Ihr Name oder ihre Nummer in einer CSV-Datei. Leer: Sie wird gefunden.',
    notify: (email) => `E-Mail an ${email}, wenn ein Lauf fehlschlägt, höchstens einmal am Tag`,
    notifyAny: 'E-Mail senden, wenn ein Lauf fehlschlägt',
    check: 'Quelle prüfen',
    checking: 'Die Quelle wird gelesen …',
    readable: 'Die Quelle kann gelesen werden.',
    unreadable: 'Die Quelle kann nicht gelesen werden.',
    columns: (names, of) => `Spalten: ${names}. Die Adressen stehen in „${of}“.`,
    addresses: (addresses, rows, isWhole) =>
      isWhole
        ? `${rows === '1' ? '1 Zeile' : `${rows} Zeilen`}, davon ${addresses} mit einer Adresse.`
        : `Von den ersten ${rows} Zeilen haben ${addresses} eine Adresse.`,
    list: (id, name) => `${name} (Liste ${id})`,
    subscribers: (count) => (count === '1' ? '1 Abonnent' : `${count} Abonnenten`),
    notCounted: 'von listmonk nicht gezählt',
    total: (count) => `listmonk zählt insgesamt ${count} Abonnements dieser Listen.`,
    addAnyway: 'Trotzdem anlegen',
    saveAnyway: 'Trotzdem speichern',
  },
};
