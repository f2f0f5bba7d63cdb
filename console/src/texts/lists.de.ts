import type { listsEn } from './lists.en';

export const listsDe: typeof listsEn = {
  lists: {
    title: 'Listen',
    intro: 'Legen Sie eine Datei mit Adressen ab. Sie bekommen sie mit einem Ergebnis in jeder Zeile zurück.',
    drop: 'CSV- oder Excel-Datei hier ablegen',
    choose: 'Datei wählen',
    paste: 'Oder Adressen einfügen',
    pasteLabel: 'Adressen, getrennt durch Zeilen, Kommas oder Leerzeichen',
    pasteGo: 'Weiter',
    pastedName: 'eingefuegte-adressen.csv',
    formats: 'CSV, TSV oder XLSX. Die Datei wird in diesem Browser gelesen, bevor etwas gesendet wird.',
    reading: 'Die Datei wird gelesen …',
    preview: 'Datei ansehen',
    column: 'Spalte mit den Adressen',
    header: 'Eine Zeile nennt die Spalten',
    headerRow: 'Spaltennamen stehen in Zeile',
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
    encoding: 'Zeichencodierung',
    tooLong: (row: number, column: string) =>
      `Zeile ${row}: Die Zellen neben der Adresse haben mehr als 16 kB. Die längste steht in „${column}“. Entfernen Sie diese Spalte, oder kürzen Sie die Zelle.`,
    tooManyCells: (row: number, most: number) =>
      `Zeile ${row}: Eine Zeile darf höchstens ${most} Zellen haben.`,
    columnNumber: (number: number) => `Spalte ${number}`,
    firstRows: 'Erste Zeilen',
    cost: (rows: string, distinct: string) =>
      `${rows} ${rows === '1' ? 'Zeile' : 'Zeilen'}, höchstens ${distinct} ${distinct === '1' ? 'Prüfung' : 'Prüfungen'}.`,
    notIncluded: (tier: string) => `Der Tarif „${tier}“ hat keine Listen`,
    notIncludedHint:
      'Einzelne Adressen lassen sich prüfen. Mit einem Testschlüssel können Sie Listen kostenlos ausprobieren.',
    seePlan: 'Zum Tarif',
    tooManyRows: (limit: string) =>
      `Eine Liste Ihres Tarifs darf höchstens ${limit} Zeilen haben. Teilen Sie die Datei auf.`,
    refreshNotIncluded: (tier: string) => `Im Tarif „${tier}“ nicht enthalten.`,
    kinds: {
      pdf: 'Das ist eine PDF-Datei. Speichern Sie die Tabelle als XLSX oder CSV.',
      oldExcel:
        'Das ist eine alte Excel-Datei (XLS) oder eine mit Kennwort. Speichern Sie sie als XLSX oder CSV ohne Kennwort.',
      archive: 'Das ist ein Archiv und keine Arbeitsmappe. Entpacken Sie es zuerst.',
      vcard: 'Das sind Kontakte als vCard. Exportieren Sie sie als CSV.',
      json: 'Das ist JSON, das die API annimmt. Speichern Sie die Tabelle als XLSX oder CSV.',
      binary: 'Das ist keine Textdatei. Speichern Sie die Tabelle als XLSX oder CSV.',
      tooLarge: 'Diese Arbeitsmappe hat entpackt mehr als 500 MB. Speichern Sie das Blatt als CSV.',
      sheetTooLarge:
        'Ein Blatt dieser Arbeitsmappe hat mehr als 1.000 Spalten oder 10 Millionen Zellen, vielleicht meist leere. Kopieren Sie die Zeilen in eine neue Arbeitsmappe, oder speichern Sie das Blatt als CSV.',
    },
    sheet: 'Blatt',
    openQuote: (line: number) =>
      `Zeile ${line}: Ein Anführungszeichen wird nicht geschlossen. Schließen oder entfernen Sie es.`,
    openList:
      'Diese Liste ist geöffnet: Starten Sie sie, oder brechen Sie ab, und legen Sie dann die nächste Datei ab.',
    oneFile: 'Nur eine Datei auf einmal: Legen Sie die nächste ab, wenn diese Liste hochgeladen ist.',
    ready: (name: string) => `Die Liste „${name}“ ist hochgeladen.`,
    chooseColumn: 'Keine Spalte sieht nach Adressen aus. Wählen Sie eine.',
    dropHere: 'Datei hier loslassen',
    outcome: 'Ergebnis',
    costHint: 'Leere Zellen sowie doppelte, unbekannte und gesperrte Adressen kosten nichts.',
    emptyCells: (count: string) =>
      count === '1'
        ? '1 Zeile hat keine Adresse: Sie bleibt in der Liste und kostet nichts.'
        : `${count} Zeilen haben keine Adresse: Sie bleiben in der Liste und kosten nichts.`,
    costTest: 'Ein Testschlüssel kostet nichts.',
    remaining: (count: string) => `Heute sind ${count} übrig.`,
    tooMany: (count: string) => `Das sind mehr als die ${count}, die heute übrig sind.`,
    noAddresses: 'In dieser Spalte sind keine Adressen. Wählen Sie eine andere.',
    name: 'Name der Liste',
    refresh:
      'Mailserver neu fragen, ohne gespeicherte Ergebnisse (dass eine Domain jede Adresse annimmt, bleibt 24 h bekannt)',
    start: 'Liste prüfen',
    uploading: (percent: number) => `Wird hochgeladen, ${percent} %`,
    storing: 'Hochgeladen. Der Dienst speichert die Zeilen …',
    emptyFile: 'Die Datei hat keine Zeilen.',
    unreadable: 'Die Datei kann nicht gelesen werden.',
    search: 'Listen suchen',
    noMatch: (text: string) => `Keine Liste hat „${text}“ im Namen`,
    showAll: 'Alle Listen zeigen',
    nameShort: 'Name',
    earlier: 'Ihre Listen',
    emptyTitle: 'Noch keine Listen',
    empty:
      'Hier stehen Ihre Listen mit ihrem Ergebnis. Beginnen Sie oben mit einer Datei oder ein paar Adressen.',
    rows: 'Zeilen',
    rowsUnit: 'Zeilen',
    actions: (name: string) => `Aktionen für „${name}“`,
    downloadClean: 'Bereinigte Liste herunterladen',
    share: (percent: string) => `${percent} zustellbar`,
    untitled: 'Liste ohne Namen',
    back: 'Alle Listen',
  },
  job: {
    status: {
      queued: 'Wartet',
      running: 'Läuft',
      completed: 'Fertig',
      canceled: 'Abgebrochen',
      failed: 'Fehlgeschlagen',
    },
    progress: (done: string, total: string) => `${done} von ${total} Zeilen`,
    etaOfOthers: (text: string) => `noch etwa ${text} für die Zeilen, die nicht warten`,
    eta: (text: string) => `noch etwa ${text}`,
    live: 'Wird laufend aktualisiert',
    polled: 'Wird alle 3 Sekunden aktualisiert',
    stalled: 'Wartet auf einen Arbeitsprozess',
    deferred: (rows: string) =>
      rows === '1' ? '1 Zeile wartet auf ihren Mailserver' : `${rows} Zeilen warten auf ihre Mailserver`,
    deferredWhy: 'Diese Server lassen unbekannte Absender später wiederkommen.',
    nextAttempt: (when: string) => `Die nächste wird um ${when} neu geprüft.`,
    deferredUntil: (when: string) => `Die Liste endet spätestens um ${when}.`,
    finish: 'Jetzt mit den bisherigen Ergebnissen beenden',
    rest: (count: string) => `Die übrigen ${count} prüfen`,
    restName: (name: string) => `${name}, der Rest`,
    notVerified: 'nicht geprüft',
    skipped: 'nichts zu prüfen',
    shares: (parts: string) => `Ergebnis: ${parts}`,
    byStatus: 'Nach Status',
    byReason: 'Nach Grund',
    canBeMailed: (rows: string, of: string) => `${rows} von ${of} Zeilen können Sie jetzt anschreiben.`,
    areRisky: (rows: string, why: string, isAll: boolean) =>
      `${rows} ${rows === '1' ? 'ist' : 'sind'} riskant${isAll ? '' : ', meist'}: ${why}.`,
    results: 'Ergebnisse',
    usage: (charged: string, returned: string) =>
      `${charged} Prüfungen berechnet, ${returned} zurückgegeben.`,
    empty: (count: string) => (count === '1' ? '1 Zeile ohne Adresse.' : `${count} Zeilen ohne Adresse.`),
    duplicates: (count: string) => (count === '1' ? '1 doppelte.' : `${count} doppelte.`),
    expires: (when: string) => `Wird am ${when} gelöscht.`,
    failure: 'Warum es fehlschlug',
    cancel: 'Liste anhalten',
    keepRunning: 'Weiter prüfen',
    cancelAsk: 'Diese Liste anhalten? Fertige Ergebnisse bleiben; nicht geprüfte Zeilen kosten nichts.',
    delete: 'Liste löschen',
    deleteAsk:
      'Diese Liste mit ihren Adressen und Ergebnissen löschen? Das lässt sich nicht rückgängig machen.',
    rerun: (count: string) => `${count} unbekannte neu prüfen`,
    rerunName: (name: string) => `${name}, unbekannte neu`,
    download: 'Herunterladen',
    downloadTitle: 'Ergebnisse herunterladen',
    downloadIntro: 'Ihre eigenen Spalten und das Ergebnis. Wählen Sie Zeilen, Spalten und die Art der Datei.',
    rows: 'Zeilen',
    columns: 'Spalten',
    columnSets: {
      all: 'Ihre Spalten und das ganze Ergebnis',
      short: 'Ihre Spalten, Status und Grund',
      own: 'Nur Ihre Spalten, um sie wieder einzulesen',
      pair: 'Adresse und Status',
    },
    fileKind: 'Datei',
    fileKinds: { xlsx: 'Excel-Arbeitsmappe (XLSX)', csv: 'CSV, die Excel liest (UTF-8)' },
    presets: {
      all: 'Alles',
      clean: 'Bereinigte Liste',
      deliverable: 'Nur zustellbare',
      noRisk: 'Alle außer unzustellbaren',
    },
    presetRows: (count: string, isAtMost: boolean) => `(${isAtMost ? 'höchstens ' : ''}${count})`,
    eachOnce: 'Jede Adresse einmal',
    downloading: (size: string) => `Wird geladen, ${size}`,
    filterStatus: 'Status',
    filterReason: 'Grund',
    all: 'Alle',
    search: 'Suchen in Adressen',
    showAll: 'Alle Zeilen zeigen',
    more: 'Weitere Aktionen',
    noResults: 'Keine Zeile passt.',
    notYet: 'wartet',
    email: 'Adresse',
    noEmail: 'keine Adresse',
    reason: 'Grund',
    score: 'Punkte',
    row: 'Nr.',
    range: (first: string, last: string, total: string) => `${first}–${last} von ${total}`,
    previousRow: 'Vorige Zeile',
    nextRow: 'Nächste Zeile',
    partial: 'Die Prüfung läuft: Später können mehr Zeilen passen.',
  },
};
