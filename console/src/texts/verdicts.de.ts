import type { Reason } from '../api/client';
import type { verdictsEn } from './verdicts.en';

const LATER = 'Prüfen Sie sie später noch einmal.';
const DO_NOT_SEND = 'Senden Sie nichts dorthin.';
const CONFIRM = 'Bitten Sie die Person, die Adresse zu bestätigen.';

export const verdictsDe: typeof verdictsEn = {
  status: {
    deliverable: 'Zustellbar',
    undeliverable: 'Unzustellbar',
    risky: 'Riskant',
    unknown: 'Unbekannt',
  },
  reason: {
    accepted_email: [
      'Der Mailserver nimmt diese Adresse an und lehnt andere ab.',
      'Sie können dorthin senden.',
    ],
    delivered: [
      'Eine Mail an diese Adresse wurde vor Kurzem zugestellt.',
      'Sie können an diese Adresse senden.',
    ],
    catch_all: [
      'Die Domain nimmt Post für jede Adresse an, deshalb gibt es dieses Postfach vielleicht nicht.',
      'Bitten Sie um Bestätigung, oder achten Sie auf Rückläufer.',
    ],
    catch_all_unknown: [
      'Der Mailserver nimmt diese Adresse an. Ob er jede annimmt, ist nicht bekannt.',
      'Senden Sie mit Vorsicht, oder prüfen Sie sie später noch einmal.',
    ],
    disposable: [
      'Die Domain bietet Wegwerf-Postfächer an.',
      'Verlassen Sie sich nicht darauf: Es kann bald weg sein.',
    ],
    role: [
      'Die Adresse gehört zu einer Rolle, nicht zu einer Person.',
      'Ihr Team behandelt solche Adressen als riskant.',
    ],
    mailbox_full: ['Das Postfach gibt es, und es ist voll.', 'Versuchen Sie es in einigen Tagen wieder.'],
    inconclusive_provider: [
      'Dieser Anbieter nimmt Post für Adressen an, die es nicht gibt, und schickt sie später zurück.',
      CONFIRM,
    ],
    blocked_domain: ['Die Domain steht auf der Sperrliste Ihres Teams.', DO_NOT_SEND],
    invalid_syntax: ['Das ist keine gültige E-Mail-Adresse.', 'Korrigieren Sie sie.'],
    invalid_domain: ['Die Domain gibt es nicht.', 'Prüfen Sie die Schreibweise nach dem @.'],
    no_mail_server: [
      'Die Domain gibt es, aber sie hat keinen Mailserver, der Mail für sie annimmt.',
      DO_NOT_SEND,
    ],
    null_mx: ['Die Domain erklärt, dass sie keine Post annimmt.', DO_NOT_SEND],
    mailbox_not_found: ['Der Mailserver sagt, dass es dieses Postfach nicht gibt.', DO_NOT_SEND],
    bounced: ['Eine Mail an diese Adresse kam zurück: Dieses Postfach gibt es nicht.', DO_NOT_SEND],
    mailbox_disabled: ['Der Mailserver sagt, dass dieses Postfach abgeschaltet ist.', DO_NOT_SEND],
    smtputf8_unsupported: [
      'Die Adresse hat Zeichen, die der Mailserver nicht unterstützt.',
      'Bitten Sie um eine andere Adresse.',
    ],
    dns_error: ['Die Nameserver der Domain versagten. Das sagt nichts über die Adresse.', LATER],
    no_connect: ['Kein Mailserver der Domain war erreichbar.', LATER],
    timeout: ['Der Mailserver antwortete nicht rechtzeitig.', LATER],
    greylisted: [
      'Der Mailserver lässt unbekannte Absender warten.',
      'Prüfen Sie sie in einigen Minuten noch einmal.',
    ],
    temporary_failure: ['Der Mailserver meldete eine vorübergehende Störung.', LATER],
    sender_blocked: [
      'Der Mailserver lehnte diesen Prüfdienst ab, nicht die Adresse.',
      'Prüfen Sie den Ruf der ausgehenden Adresse: siehe System.',
    ],
    recipient_policy: [
      'Der Mailserver lehnte nach einer Regel ab. Ob es das Postfach gibt, zeigt das nicht.',
      CONFIRM,
    ],
    smtp_protocol_error: ['Der Mailserver schloss die Verbindung oder antwortete ungültig.', LATER],
    smtp_disabled: [
      'Dieser Dienst fragt keine Mailserver (SMTP_ENABLED).',
      'DNS allein kann nicht mehr zeigen.',
    ],
    unsafe_mail_server: [
      'Die Mailserver der Domain haben nur Adressen, die nicht angesprochen werden dürfen.',
      'Behandeln Sie sie als zweifelhaft.',
    ],
    rate_limited: [
      'Mit einem öffentlichen Schlüssel wurden zu viele Adressen ihrer Domain geprüft.',
      'Prüfen Sie sie mit einem geheimen Schlüssel.',
    ],
    egress_unavailable: [
      'Der Weg dieses Dienstes zu Mailservern ist gestört.',
      'Der Betreiber findet die Ursache mit rcpt doctor. Prüfen Sie sie danach noch einmal.',
    ],
    internal_error: ['Im Dienst ist ein Fehler aufgetreten.', 'Prüfen Sie sie noch einmal.'],
  } satisfies Record<Reason, readonly [string, string]>,
  verify: {
    title: 'Adresse prüfen',
    address: 'E-Mail-Adresse',
    placeholder: 'jane@example.com',
    submit: 'Prüfen',
    refresh: 'Neu fragen, ohne gespeicherte Ergebnisse',
    asking: 'Der Mailserver wird gefragt …',
    emptyTitle: 'Kommt Post an diese Adresse an?',
    empty: 'Geben Sie oben eine Adresse ein. Sie erfahren das Ergebnis und wie es zustande kam.',
    tryTest: 'Bei einem Testschlüssel bestimmt die Adresse das Ergebnis. Versuchen Sie eine:',
    score: 'Punkte',
    scoreOf: (score: number) => `${score} von 100 Punkten; mehr ist sicherer`,
    didYouMean: 'Meinten Sie',
    response: 'Antwort',
    copyAddress: 'Adresse kopieren',
    pasted: (count: string) => `Sie haben ${count} Adressen eingefügt.`,
    asList: 'Als Liste prüfen',
    evidence: 'Wie das Ergebnis zustande kam',
    request: 'Die Anfrage zum Kopieren',
    history: 'Verlauf',
    historyHint: 'Nur in diesem Tab gespeichert, bis Sie sich abmelden oder ihn schließen.',
    at: 'Geprüft',
    clear: 'Verlauf löschen',
    again: (email: string) => `${email} noch einmal prüfen`,
    cached: (age: string) => `Aus gespeicherten Ergebnissen, ${age} alt.`,
    took: (ms: number) => `Dauer: ${ms} ms.`,
    retryAfter: (minutes: number) => `Der Dienst fragt in etwa ${minutes} min von selbst noch einmal.`,
    age: (seconds: number) =>
      seconds < 120
        ? `${seconds} s`
        : seconds < 7200
          ? `${Math.round(seconds / 60)} min`
          : `${Math.round(seconds / 3600)} Std.`,
    policy: { accept: 'Annehmen', review: 'Ansehen', reject: 'Ablehnen' },
    about: 'Über',
    step: {
      syntax: 'Adresse',
      domain: 'Domain und DNS',
      lists: 'Listen',
      smtp: 'Mailserver',
      decision: 'Entscheidung',
    },
    syntaxOk: (address: string) => `Gültig. Gelesen als ${address}.`,
    mailbox: (address: string) => `Das Postfach ist ${address}.`,
    syntaxBad: 'Keine gültige Adresse.',
    notTested: 'Nicht geprüft.',
    mx: (count: number) => `${count} Mailserver`,
    noMx: 'Kein Mailserver gefunden.',
    nullMx: 'Die Domain sagt, dass sie keine Post annimmt (Null MX).',
    implicitMx: 'Die Domain hat keinen MX-Eintrag; ihre eigene Adresse nimmt Post an.',
    provider: (name: string) => `Anbieter: ${name}`,
    preference: 'Vorrang',
    noLists: 'Auf keiner Liste.',
    onList: (list: string, pattern: string, source: string) =>
      `Auf der Liste „${list}“ als ${pattern} (${source}).`,
    traits: {
      disposable: 'Wegwerf-Adresse',
      privacy_relay: 'Weiterleitung zum Schutz',
      role: 'Rollenadresse',
      free: 'Freemail-Anbieter',
      subaddress: 'mit Unteradresse',
      no_reply: 'No-Reply-Adresse',
      catch_all: 'Domain nimmt jede Adresse an',
      mailbox_full: 'Postfach voll',
      disabled: 'Postfach abgeschaltet',
      smtputf8: 'unterstützt Umlaute in Adressen',
    },
    stage: {
      connect: 'Verbindung',
      banner: 'Begrüßung',
      ehlo: 'EHLO',
      starttls: 'STARTTLS',
      mail: 'MAIL FROM',
      rcpt: 'RCPT TO',
    },
    dialogue: 'Der SMTP-Dialog',
    speaker: { connection: 'Verbindung zu', client: 'Gesendet', server: 'Antwort' },
    through: (egress: string) => `Über den Ausgang „${egress}“.`,
    notConnectedTo: (host: string) => `Keine Verbindung zu ${host}.`,
    failed: 'nicht erreicht',
    outcome: { good: 'bestanden', bad: 'nicht bestanden', open: 'nicht bekannt' },
    blockedTitle: 'Port 25 scheint hier gesperrt zu sein',
    blocked:
      'Drei Mailserver waren nicht erreichbar, und keiner war es. Die meisten Büros, Haushalte und Clouds sperren ausgehende Verbindungen zu Port 25.',
    blockedOther: 'Bitten Sie den Betreiber dieses Dienstes, die Prüfungen auszuführen.',
    runChecks: 'Prüfungen ausführen',
    waited: (seconds: number) => `${seconds} s`,
    connectedTo: (host: string) => `Verbunden mit ${host}.`,
    breakerOpen: 'Nicht gefragt: Ein Schutzschalter ist offen.',
    withTls: 'Die Verbindung ist verschlüsselt (STARTTLS).',
    reached: 'erledigt',
    stopped: 'hier kam die Antwort',
    serverSaid: 'Der Server antwortete',
    attempts: (count: number) => (count === 1 ? '1 Verbindung' : `${count} Verbindungen`),
    readAs: (category: string, rule: string | null) =>
      `Gelesen als „${category}“${rule === null ? '' : `, Regel ${rule}`}.`,
    rule: (rule: string) => `Regel: ${rule}`,
  },
};
