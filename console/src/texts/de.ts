import type { Texts } from './en';
import { auditDe } from './team/audit.de';
import { authorizeDe } from './team/authorize.de';
import { heldDe } from './lists/held.de';
import { breakdownDe } from './lists/breakdown.de';
import { candidatesDe } from './candidates.de';
import { checkSentencesDe } from './system/check-sentences.de';
import { commandsDe } from './commands.de';
import { formsDe } from './forms.de';
import { domainFactsDe } from './verify/domain-facts.de';
import { keptDe } from './lists/kept.de';
import { listMailsDe } from './lists/list-mails.de';
import { keyboardDe } from './keyboard.de';
import { listsDe } from './lists/lists.de';
import { outcomesDe } from './outcomes.de';
import { keyLimitsDe } from './team/key-limits.de';
import { peopleDe } from './team/people.de';
import { policyDe } from './policy.de';
import { publishableDe } from './team/publishable.de';
import { scheduleFormDe } from './schedules/schedule-form.de';
import { schedulesDe } from './schedules/schedules.de';
import { shortReasonsDe } from './lists/short-reasons.de';
import { stepsDe } from './steps.de';
import { teamDe } from './team.de';
import { verdictsDe } from './verdicts.de';
import { webhooksDe } from './webhooks.de';

export const de: Texts = {
  problem: {
    address_not_allowed: 'Der Schlüssel gilt nicht in diesem Netz',
    already_blocked: 'Die Domain ist schon gesperrt',
    already_member: 'Diese Person ist schon Mitglied',
    already_overridden: 'Für die Domain gibt es schon eine Ausnahme',
    authorization_request_gone: 'Die Anfrage des Programms ist nicht mehr offen',
    billing_unconfigured: 'Die Abrechnung ist nicht eingerichtet',
    bulk_too_large: 'Die Liste ist zu lang',
    cannot_remove_owner: 'Der Inhaber kann nicht entfernt werden',
    daily_quota_exceeded: 'Das Tageskontingent ist aufgebraucht',
    idempotency_in_progress: 'Die gleiche Anfrage läuft noch',
    policy_changed: 'Die Regeln wurden inzwischen geändert',
    internal_error: 'Im Dienst ist etwas fehlgeschlagen',
    invalid_confirmation: 'Der Link ist ungültig',
    invalid_credential: 'Der Schlüssel ist ungültig',
    invalid_invite: 'Die Einladung ist ungültig',
    invalid_request: 'Die Anfrage ist nicht gültig',
    invalid_sign_in_link: 'Der Link ist ungültig',
    key_not_active: 'Der Schlüssel ist nicht aktiv',
    last_owner: 'Ein Team braucht einen Inhaber',
    limit_reached: 'Die Höchstzahl ist erreicht',
    live_key_required: 'Dafür braucht es einen Live-Schlüssel',
    malformed_list: 'Die Liste kann nicht gelesen werden',
    no_billing_customer: 'Es gibt noch keinen Zahlungskunden',
    no_user: 'Der Schlüssel gehört zu keinem Benutzer',
    not_found: 'Nicht gefunden',
    payload_too_large: 'Die Anfrage ist zu groß',
    payment_provider_unavailable: 'Der Zahlungsdienst antwortet nicht',
    queue_full: 'Die Warteschlange ist voll',
    rate_limited: 'Zu viele Anfragen',
    role_required: 'Ihre Rolle erlaubt das nicht',
    scope_required: 'Der Schlüssel ist begrenzt und erlaubt das nicht',
    signup_refused: 'Die Anmeldung wurde abgelehnt',
    too_many_exports: 'Zu viele Downloads auf einmal',
    too_many_held_lists: 'Zu viele Listen warten auf ihren Start',
    too_many_unverified: 'Heute wurden zu viele Zeilen gesendet und nicht geprüft',
    too_many_streams: 'Zu viele offene Verbindungen',
    unavailable: 'Der Dienst ist nicht bereit',
    upgrade_required: 'Ihr Tarif enthält das nicht',
  },
  ...formsDe,
  ...verdictsDe,
  ...auditDe,
  ...breakdownDe,
  ...heldDe,
  ...candidatesDe,
  ...checkSentencesDe,
  ...commandsDe,
  ...domainFactsDe,
  ...keptDe,
  ...listMailsDe,
  ...keyboardDe,
  ...listsDe,
  ...outcomesDe,
  ...authorizeDe,
  ...peopleDe,
  ...policyDe,
  ...keyLimitsDe,
  ...publishableDe,
  ...scheduleFormDe,
  ...schedulesDe,
  ...shortReasonsDe,
  ...stepsDe,
  ...teamDe,
  ...webhooksDe,
  nav: {
    verify: 'Prüfen',
    lists: 'Listen',
    schedules: 'Zeitpläne',
    outcomes: 'Zustellung',
    developers: 'Entwicklung',
    keys: 'Schlüssel',
    webhooks: 'Webhooks',
    requests: 'API-Fehler',
    administration: 'Verwaltung',
    policy: 'Regeln',
    usage: 'Verbrauch',
    team: 'Team',
    system: 'System',
    main: 'Hauptmenü',
    more: 'Mehr',
  },
  common: {
    role: { owner: 'Inhaber', admin: 'Verwalter', member: 'Mitglied' },
    loading: 'Wird geladen …',
    working: 'Einen Moment …',
    retry: 'Noch einmal versuchen',
    cancel: 'Abbrechen',
    close: 'Schließen',
    closeDialog: 'Schließen',
    save: 'Speichern',
    undo: 'Rückgängig',
    remove: 'Entfernen',
    delete: 'Löschen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    pressCopy: 'Strg+C drücken',
    notEncrypted:
      'Diese Verbindung ist nicht verschlüsselt: Andere im Netz können Schlüssel und Adressen lesen. Verwenden Sie https.',
    pageFailed: 'Diese Seite konnte nicht geladen werden',
    pageFailedHint:
      'Vielleicht ist das Netz unterbrochen, oder der Dienst wurde aktualisiert, während dieser Tab offen war.',
    reload: 'Seite neu laden',
    next: 'Nächste Seite',
    previous: 'Vorige Seite',
    never: 'nie',
    optional: 'optional',
    inEnglish: 'Einzelheiten vom Dienst (englisch)',
    requestId: 'Anfragenummer',
    error: 'Das hat nicht geklappt',
    unsent:
      'Der Dienst hat nicht geantwortet. Es ist nicht sicher, ob das ausgeführt wurde: Versuchen Sie es erneut, sobald er antwortet.',
    paused: 'Der Dienst pausiert bis „rcpt resume“.',
    lost: 'Der Dienst antwortet nicht. Diese Seite versucht es wieder; Ihre Eingaben bleiben erhalten.',
    notFound: 'Diese Seite gibt es nicht.',
    skip: 'Zum Inhalt',
    testMode: 'Testmodus',
    testModeHint: 'Dies ist ein Testschlüssel: Kein Mailserver wird gefragt, nichts wird berechnet.',
    testBand:
      'Testmodus: Die Ergebnisse sind simuliert. Kein Mailserver wird gefragt, nichts wird berechnet.',
    simulated: 'Simuliert',
    wait: (time: string) => `Versuchen Sie es in ${time} wieder.`,
    quotaResets: (time: string) => `Das Kontingent beginnt um 00:00 UTC neu, in ${time}.`,
    upgrade: (tier: string) => `Ab dem Tarif „${tier}“ verfügbar.`,
    upgradeTo: (tier: string) => `Zu „${tier}“ wechseln`,
    shownOnce: 'Kopieren Sie das jetzt: Es wird nur einmal gezeigt.',
    status: 'Status',
    actions: 'Aktionen',
    createdAt: 'Angelegt',
  },
  menu: {
    label: 'Menü',
    theme: 'Darstellung',
    light: 'Hell',
    dark: 'Dunkel',
    system: 'Wie das System',
    language: 'Sprache',
    docs: 'API-Dokumentation',
    signOut: 'Abmelden',
    signOutAll: 'Von allen Teams abmelden',
    signOutOf: (team: string) => `Von „${team}“ abmelden`,
    team: (name: string) => `Team: ${name}`,
    teams: 'Teams',
    addTeam: 'Team hinzufügen …',
    commands: 'Befehle',
  },
  signIn: {
    title: 'Anmelden',
    keyHint: 'Er bleibt in den Tabs der Konsole und wird vergessen, wenn Sie sie schließen.',
    otherWays: 'Andere Wege, sich anzumelden',
    key: 'API-Schlüssel',
    submit: 'Anmelden',
    replaceTitle: 'Mit einem anderen Schlüssel anmelden?',
    replaceTeam: (team: string) => `Beim Team „${team}“ anmelden?`,
    replaceSession: (team: string) =>
      `Ein Link will Ihre Sitzung ersetzen. Sie sind bei „${team}“ angemeldet. Was Sie danach eingeben, erhält das andere Team.`,
    linkNo: 'Nicht anmelden',
    replaceAdd: 'Dieses Team hinzufügen und die anderen behalten',
    replaceNo: 'Angemeldet bleiben wie bisher',
    otherTeams:
      'Diese Sitzung hat Schlüssel anderer Teams. Öffnen Sie eines davon, oder melden Sie sich mit einem anderen Schlüssel an.',
    unknownKey:
      'Dieser Schlüssel gilt nicht: Er wurde widerrufen, ist abgelaufen oder gehört zu einem anderen Dienst.',
    publishableKey:
      'Das ist ein öffentlicher Schlüssel für Webseiten: Er kann nur Adressen prüfen. Ein Schlüssel zum Anmelden beginnt mit rcpt_live_ oder rcpt_test_.',
    notAKey: 'Ein Schlüssel beginnt mit rcpt_live_ oder rcpt_test_ und hat 48 Zeichen.',
    where:
      'Beim ersten Start nennt der Dienst einen Link, der Sie anmeldet. Ihr Team kann Sie auch einladen.',
    byProvider: 'Mit Ihrer Organisation anmelden',
    byProviderHint:
      'Sie melden sich dort an, wo Ihre Organisation ihre Konten hat, und kommen mit einem Schlüssel für 12 Stunden zurück.',
    toProvider: 'Zur Anmeldung',
    byMail: 'Per E-Mail anmelden',
    byMailHint: 'Sie bekommen einen Link, der 15 Minuten gilt.',
    sendLink: 'Link senden',
    mailSent: 'Wenn diese Adresse zu einem Benutzer gehört, ist ein Link unterwegs. Er gilt nur einmal.',
    linkIntro:
      'Sie haben einen Link zum Anmelden geöffnet. Er gilt nur einmal und gibt Ihnen einen Schlüssel für 12 Stunden.',
    linkReplaces: (team: string) => `Sie sind bei „${team}“ angemeldet. Der Link beendet diese Sitzung.`,
    chooseTeam: 'Sie gehören zu mehreren Teams. Welches möchten Sie öffnen?',
    otherWay: 'Anders anmelden',
    haveInvite: 'Ich habe eine Einladung',
    haveKey: 'Ich habe einen Schlüssel',
    inviteTitle: 'Einladung annehmen',
    inviteIntro: 'Fügen Sie den Link Ihrer Einladung ein oder ihren Code.',
    linkOrToken: 'Link oder Code der Einladung',
    notAnInvite: 'Eine Einladung hat einen Link mit #invite= oder einen Code, der mit rcpt_invite_ beginnt.',
    email: 'Ihre E-Mail-Adresse',
    accept: 'Dem Team beitreten',
    newKeyTitle: 'Willkommen. Das ist Ihr Schlüssel',
    newKeyIntro:
      'Sie brauchen ihn, um sich in einem anderen Tab oder Browser anzumelden und um die API zu benutzen.',
    proceed: 'Weiter',
    signUpTitle: 'Konto anlegen',
    signUpOpen: 'Sie erhalten ein eigenes Team und seinen ersten Schlüssel.',
    signUpConfirm:
      'Sie erhalten ein eigenes Team mit einem Schlüssel für Tests. Ein Link an Ihre Adresse gibt Ihnen den Schlüssel für den Betrieb.',
    teamName: 'Name des Teams',
    signUp: 'Team anlegen',
    confirmSent: (email: string) =>
      `Ein Link zur Bestätigung Ihrer Adresse wurde an ${email} gesandt. Er zeigt den Schlüssel für den Betrieb. Bis dahin ist dieser Schlüssel für Tests.`,
  },
};
