import type { Schemas } from '../../api/client';
import type { schedulesEn } from './schedules.en';

/** Each code of the API has a sentence; `{detail}` is what came. */
const FAILURES: Readonly<Record<Schemas['ScheduleFailure']['code'], string>> = {
  unauthorized:
    'Die Quelle antwortete 401 oder 403. Prüfen Sie das Token oder die Kopfzeilen, und was sie lesen und ändern dürfen.',
  not_found: 'Die Quelle antwortete 404. Prüfen Sie die URL.',
  http_status:
    'Die Quelle antwortete mit einem Fehler. Sehen Sie in ihr Protokoll, und führen Sie den Zeitplan noch einmal aus.',
  redirect: 'Die Quelle leitet im Kreis oder zu keiner URL weiter. Geben Sie die URL ein, zu der sie führt.',
  address_not_allowed:
    'Die URL oder eine Weiterleitung führt in ein Netz oder zu einem Port, die nicht erlaubt sind. Nehmen Sie eine Quelle im öffentlichen Internet; der Betreiber kann Netze erlauben.',
  dns: 'Den Namen der Quelle gibt es nicht, oder er kann nicht aufgelöst werden. Prüfen Sie die URL.',
  connection:
    'Die Quelle hat die Verbindung abgelehnt oder verloren. Prüfen Sie, ob sie läuft und erreichbar ist.',
  tls: 'Das Zertifikat der Quelle gilt nicht für ihren Namen.',
  timeout:
    'Die Quelle sandte fünf Minuten lang keine Zeile, oder brauchte länger als eine halbe Minute für eine Anfrage.',
  too_little_in_time:
    'Die Quelle sandte in zehn Sekunden zu wenig, um ihre Zeilen zu zeigen. Ein Lauf wartet länger: Wenn die Quelle langsam und sonst richtig ist, legen Sie den Zeitplan trotzdem an.',
  too_slow:
    'Die Quelle sandte eine Minute lang weniger als ein Kilobyte je Sekunde. Sehen Sie nach ihrer Last, und führen Sie den Zeitplan noch einmal aus.',
  too_large:
    'Die Quelle hat mehr, als gelesen werden darf: 512 MB oder zehn Millionen Abonnenten. Teilen Sie sie auf mehrere Zeitpläne auf.',
  list_not_found: 'listmonk hat keine Liste mit der Nummer {detail}. Ändern Sie die Nummern der Listen.',
  disabled: 'Der Zeitplan wurde ausgeschaltet, während seine Quelle gelesen wurde.',
  not_a_list:
    'Die Antwort ist {detail}, nicht CSV oder NDJSON. Prüfen Sie, ob die URL zur Datei führt und nicht zu einer Seite.',
  malformed_list:
    'Die Datei ist kein CSV oder NDJSON mit einer Spalte mit Adressen, oder sie ist komprimiert oder unvollständig. Prüfen Sie ihre URL und den Namen der Spalte.',
  not_listmonk:
    'Die Antwort ist nicht die eines listmonk, oder ihre Abonnenten haben keine Reihenfolge. Prüfen Sie, ob die URL zu listmonk selbst führt und nicht zu einer Seite oder einem Proxy davor.',
  empty: 'Die Quelle hat keine Zeile mit einer Adresse. Prüfen Sie, ob der Export leer ist.',
  bulk_too_large:
    'Es müssen mehr Zeilen geprüft werden, als eine Liste Ihres Tarifs haben darf. Teilen Sie die Quelle auf.',
  daily_quota_exceeded:
    'Das Tageskontingent reicht nicht für die Zeilen, die geprüft werden müssen. Wählen Sie einen höheren Tarif.',
  upgrade_required: 'Ihr Tarif enthält keine Zeitpläne.',
  job_canceled: 'Die Liste des Laufs wurde abgebrochen oder gelöscht.',
  job_failed: 'Die Liste des Laufs ist fehlgeschlagen. Führen Sie den Zeitplan noch einmal aus.',
  secret_unreadable:
    'Die Kopfzeilen oder das Token können nicht mehr entschlüsselt werden, oder sie gelten für einen anderen Host. Geben Sie sie neu ein.',
  interrupted:
    'Der Lauf wurde mehrmals unterbrochen. Führen Sie den Zeitplan noch einmal aus, und melden Sie es dem Betreiber, wenn er wieder fehlschlägt.',
};

export const schedulesDe: typeof schedulesEn = {
  schedules: {
    title: 'Zeitpläne',
    intro:
      'Ein Zeitplan liest eine Liste zu festen Zeiten und prüft nur, was neu ist oder vor langer Zeit geprüft wurde. Alle anderen Zeilen kosten nichts.',
    docs: 'Quellen, Läufe und Fehler beschreibt die Dokumentation.',
    create: 'Zeitplan anlegen',
    createFirst: 'Ersten Zeitplan anlegen',
    emptyTitle: 'Noch keine Zeitpläne',
    empty:
      'Legen Sie einen an, um eine Liste sauber zu halten: eine Datei unter einer URL oder Listen von listmonk.',
    emptyPlan: 'Ein Tarif mit Zeitplänen zeigt sie hier mit ihren Läufen.',
    liveOnly: 'Zum Anlegen, Ändern und Ausführen von Zeitplänen brauchen Sie einen Live-Schlüssel.',
    notIncluded: (tier) => `Der Tarif „${tier}“ hat keine Zeitpläne`,
    notIncludedHint: 'Früher angelegte Zeitpläne können Sie ändern und löschen; ihre Läufe schlagen fehl.',
    back: 'Alle Zeitpläne',
    sentence: (what, when, days) =>
      `Liest ${when} ${what} und prüft Adressen, die neu sind oder zuletzt vor mehr als ${days === '1' ? 'einem Tag' : `${days} Tagen`} geprüft wurden.`,
    file: (place) => `die Datei ${place}`,
    lists: (ids, count, host) =>
      `${count === 1 ? 'die Liste' : 'die Listen'} ${ids} von listmonk auf ${host}`,
    when: {
      day: (time) => `jeden Tag um ${time}`,
      week: (time, weekday) => `jeden ${weekday} um ${time}`,
      month: (time, day) =>
        day === 31
          ? `am letzten Tag jedes Monats um ${time}`
          : `am ${day}. jedes Monats${day > 28 ? ' oder an dessen letztem Tag' : ''} um ${time}`,
    },
    bothTimes: (utc, local, shift) =>
      `${utc} UTC (${local} in Ihrer Zeitzone${shift === 0 ? '' : shift > 0 ? ', am nächsten Tag' : ', am Tag davor'})`,
    then: {
      blocklist_undeliverable:
        'Abonnenten mit unzustellbarer Adresse werden in listmonk gesperrt; das beendet alle ihre Abonnements, auf allen Listen. Niemand wird gelöscht.',
      attributes: 'Das Ergebnis wird in listmonk zum Attribut „rcpt“ jedes Abonnenten.',
      none: 'Die Ergebnisse stehen in den Listen der Läufe; an der Quelle wird nichts geändert.',
    },
    next: (time) => `Nächster Lauf: ${time}.`,
    enabled: 'Eingeschaltet',
    disabled: 'Ausgeschaltet',
    lastFailed: 'Letzter Lauf fehlgeschlagen',
    isOff: 'Er läuft nur, wenn Sie ihn ausführen.',
    wasDisabled: 'Ausgeschaltet, weil drei Läufe nacheinander fehlgeschlagen sind.',
    enableAfter: 'Beheben Sie das, und schalten Sie ihn dann wieder ein.',
    run: 'Jetzt ausführen',
    lastRun: 'Letzter Lauf',
    neverRun: 'Er ist noch nicht gelaufen.',
    states: {
      queued: 'Wartet',
      verifying: 'Wird geprüft',
      writing: 'Ergebnisse werden eingetragen',
      needs_confirmation: 'Braucht eine Antwort',
      completed: 'Fertig',
      discarded: 'Verworfen',
      failed: 'Fehlgeschlagen',
    },
    underWay: {
      queued: 'Die Quelle wird als Nächstes gelesen, oder gerade jetzt.',
      verifying: 'Die Adressen werden geprüft.',
      writing: 'Die Ergebnisse werden eingetragen.',
    },
    rows: (rows) => (rows === '1' ? '1 Zeile' : `${rows} Zeilen`),
    counts: (rows, unchanged, verified) => `${rows}: ${unchanged} unverändert, ${verified}.`,
    verified: (count, parts) =>
      count === '0'
        ? 'keine Adresse geprüft'
        : `${count} ${count === '1' ? 'Adresse' : 'Adressen'} geprüft (${parts})`,
    added: (count) => `${count} neu`,
    old: (count) => `${count} mit altem Ergebnis`,
    change: (count, status) => `${count} jetzt „${status}“`,
    changes: (parts) => `Geänderter Status: ${parts}.`,
    written: (count) =>
      `${count} ${count === '1' ? 'Abonnent hat sein' : 'Abonnenten haben ihr'} Ergebnis jetzt in listmonk.`,
    postponed: (count) =>
      `${count} noch nicht gesperrt: Bisher haben die Nameserver erst einmal gesagt, dass ${count === '1' ? 'die Domain' : 'die Domains'} keine Mail ${count === '1' ? 'hat' : 'haben'}. Ein Lauf einen Tag später fragt noch einmal.`,
    notWritten: (count) =>
      `${count} ${count === '1' ? 'Abonnent wurde' : 'Abonnenten wurden'} in listmonk nicht geändert: gelöscht, mit anderer Adresse, von listmonk abgelehnt oder nur mit einer Mail an sie.`,
    wouldBlocklist: (count, share) =>
      `Dieser Lauf würde ${count} Abonnenten in listmonk sperren, ${share} aller gelesenen. Niemand wurde gesperrt. Die Gründe:`,
    endsAll:
      'listmonk beendet alle Abonnements der Gesperrten, auf allen Listen. Wird ein Abonnent wieder aktiviert, kommen sie nicht zurück.',
    answerBy: (time) => `Ohne Antwort wird er verworfen: ${time}.`,
    writeThem: 'Eintragen',
    writeTitle: 'In listmonk sperren',
    writeAsk: (count) =>
      `${count} Abonnenten sperren? listmonk beendet alle ihre Abonnements, auf allen Listen, und wenn sie wieder aktiviert werden, kommen diese nicht zurück.`,
    discard: 'Verwerfen',
    wasDiscarded: 'Niemand wurde gesperrt: Der Lauf wurde verworfen.',
    noChanges: 'Keine Adresse hat einen anderen Status als zuvor.',
    runs: 'Läufe',
    began: 'Begonnen',
    result: 'Ergebnis',
    failures: FAILURES,
    actions: (name) => `Aktionen für „${name}“`,
    edit: 'Bearbeiten',
    enable: 'Einschalten',
    disable: 'Ausschalten',
    nowDisabled: (name) => `Der Zeitplan „${name}“ ist ausgeschaltet.`,
    deleteTitle: 'Zeitplan löschen',
    deleteAsk: (name) =>
      `„${name}“ mit allen Angaben über seine Läufe löschen? Die Listen der Läufe bleiben, und an der Quelle ändert sich nichts. Das lässt sich nicht rückgängig machen.`,
    editTitle: 'Zeitplan bearbeiten',
    name: 'Name',
    every: 'Er läuft',
    intervals: { day: 'jeden Tag', week: 'jede Woche', month: 'jeden Monat' },
    at: 'Um',
    atHint: 'Die Stunde gilt in UTC, auch wenn die Uhren umgestellt werden.',
    kind: 'Quelle',
    kinds: { url: 'Eine Datei (CSV oder NDJSON)', listmonk: 'Listen von listmonk' },
    url: { url: 'URL der Datei', listmonk: 'URL von listmonk' },
    urlHint: {
      url: 'Höchstens 512 MB. Sie wird mit GET gelesen, und Weiterleitungen wird gefolgt.',
      listmonk: 'So, wie Sie es im Browser öffnen, ohne den Pfad einer Seite.',
    },
    headers: 'Kopfzeilen der Anfrage',
    column: 'Spalte mit den Adressen',
    headersHint:
      'Eine je Zeile, etwa „Authorization: Bearer …“. Sie werden verschlüsselt gespeichert und nicht wieder gezeigt.',
    headersWrong: (line) => `Zeile ${line}: Schreiben Sie einen Namen, einen Doppelpunkt und einen Wert.`,
    headersTwice: (line) => `Zeile ${line}: Eine Kopfzeile darüber hat denselben Namen.`,
    headersStored: (names) => `Gespeichert: ${names}. Die Werte werden nicht gezeigt.`,
    replaceHeaders: 'Die gespeicherten Kopfzeilen ersetzen',
    replaceHint: 'Ohne eine Zeile hat die Anfrage keine Kopfzeilen.',
    otherHost: (names) =>
      `Die gespeicherten Kopfzeilen (${names}) werden keinem anderen Host gesendet. Geben Sie sie neu ein.`,
    username: 'API-Benutzer',
    usernameHint:
      'In listmonk unter Admin, Benutzer: ein Benutzer der Art API. Er muss Abonnenten lesen dürfen und, wenn Ergebnisse eingetragen werden, auch ändern.',
    token: 'Token',
    tokenHint: 'Es wird verschlüsselt gespeichert und nicht wieder gezeigt.',
    tokenStored: 'Ein Token ist gespeichert. Lassen Sie das Feld leer, um es zu behalten.',
    tokenOtherHost: 'Das gespeicherte Token wird keinem anderen Host gesendet. Geben Sie es neu ein.',
    listIds: 'Listen',
    listIdsHint:
      'Die Nummern der Listen, durch Kommas getrennt, etwa 1, 4. In listmonk gesperrte Abonnenten werden ausgelassen.',
    listIdsWrong: 'Geben Sie ganze Zahlen ein, durch Kommas getrennt.',
    maxAge: 'Erneut prüfen nach',
    maxAgeHint:
      'Tage, von 1 bis 365. Adressen, die in diesen Tagen geprüft wurden, werden nicht erneut geprüft und kosten nichts.',
    onResult: 'Was in listmonk geschieht',
    actionsIn: {
      none: 'Nichts. Sie sehen die Ergebnisse hier.',
      attributes:
        'Das Ergebnis wird zum Attribut „rcpt“ jedes geprüften Abonnenten. Andere Attribute bleiben. Abonnenten, denen listmonk dafür eine Mail senden würde, bleiben, wie sie sind.',
      blocklist_undeliverable:
        'Abonnenten mit unzustellbarer Adresse werden gesperrt: listmonk beendet alle ihre Abonnements, auf allen Listen, und sendet ihnen nichts mehr. Werden sie wieder aktiviert, kommen die Abonnements nicht zurück.',
    },
    maxShare: 'Mich fragen, bevor mehr gesperrt werden als (%)',
    maxHint:
      'Von allen, die ein Lauf gelesen hat. Er fragt, wenn beides überschritten wird, und Sie bekommen eine Mail.',
    maxCount: '… und mehr als (Abonnenten)',
    neverDeleted: 'Niemand wird je gelöscht, und ein Abonnent mit neuer Adresse bleibt, wie er ist.',
    from: 'Aus dem Zeitplan',
    fromDeleted: 'Aus einem Zeitplan, der gelöscht wurde.',
  },
};
