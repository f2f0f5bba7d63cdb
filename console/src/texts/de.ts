import type { Texts } from './en';
import { listsDe } from './lists.de';
import { outcomesDe } from './outcomes.de';
import { teamDe } from './team.de';
import { verdictsDe } from './verdicts.de';
import { webhooksDe } from './webhooks.de';

export const de: Texts = {
  ...verdictsDe,
  ...listsDe,
  ...outcomesDe,
  ...teamDe,
  ...webhooksDe,
  nav: {
    verify: 'Prüfen',
    lists: 'Listen',
    outcomes: 'Zustellung',
    team: 'Team',
    webhooks: 'Webhooks',
    system: 'System',
    main: 'Hauptmenü',
  },
  common: {
    loading: 'Wird geladen …',
    working: 'Einen Moment …',
    retry: 'Noch einmal versuchen',
    cancel: 'Abbrechen',
    close: 'Schließen',
    save: 'Speichern',
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
    optional: 'freiwillig',
    requestId: 'Anfragenummer',
    error: 'Das hat nicht geklappt',
    lost: 'Der Dienst antwortet nicht. Diese Seite versucht es alle zwei Sekunden wieder; Ihre Eingaben bleiben erhalten.',
    notFound: 'Diese Seite gibt es nicht.',
    skip: 'Zum Inhalt',
    testMode: 'Testmodus',
    testModeHint: 'Dies ist ein Testschlüssel: Kein Mailserver wird gefragt, nichts wird berechnet.',
    wait: (seconds: number) => `Versuchen Sie es in ${seconds} s wieder.`,
    upgrade: (tier: string) => `Ab dem Tarif „${tier}“ verfügbar.`,
    shownOnce: 'Kopieren Sie ihn jetzt: Er wird nur einmal gezeigt.',
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
  },
  signIn: {
    title: 'Anmelden',
    intro:
      'Fügen Sie einen API-Schlüssel Ihres Teams ein. Er bleibt in diesem Tab und wird vergessen, wenn Sie ihn schließen.',
    key: 'API-Schlüssel',
    submit: 'Anmelden',
    replaceTitle: 'Mit einem anderen Schlüssel anmelden?',
    replaceTeam: (team: string) => `Beim Team „${team}“ anmelden?`,
    replaceSession: (team: string) =>
      `Ein Link will Ihre Sitzung ersetzen. Sie sind bei „${team}“ angemeldet. Was Sie danach eingeben, erhält das andere Team.`,
    replaceHint: 'Ein Link will Ihre Sitzung ersetzen. Was Sie danach eingeben, erhält das andere Team.',
    replaceInvalid: 'Der Schlüssel des Links ist ungültig.',
    replaceNo: 'Angemeldet bleiben wie bisher',
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
    mailSent:
      'Wenn diese Adresse zu einem bestätigten Benutzer gehört, ist ein Link unterwegs. Er gilt nur einmal.',
    linkIntro:
      'Sie haben einen Link zum Anmelden geöffnet. Er gilt nur einmal und gibt Ihnen einen Schlüssel für 12 Stunden.',
    linkReplaces: (team: string) => `Sie sind bei „${team}“ angemeldet. Der Link beendet diese Sitzung.`,
    chooseTeam: 'Sie gehören zu mehreren Teams. Welches möchten Sie öffnen?',
    otherWay: 'Anders anmelden',
    haveInvite: 'Ich habe eine Einladung',
    haveKey: 'Ich habe einen Schlüssel',
    inviteTitle: 'Einladung annehmen',
    inviteIntro: 'Geben Sie den Code Ihrer Einladung ein. Sie bekommen einen eigenen Schlüssel für das Team.',
    token: 'Code der Einladung',
    email: 'Ihre E-Mail-Adresse',
    accept: 'Dem Team beitreten',
    newKeyTitle: 'Willkommen. Das ist Ihr Schlüssel',
    newKeyIntro:
      'Sie brauchen ihn, um sich in einem anderen Tab oder Browser anzumelden und um die API zu benutzen.',
    proceed: 'Weiter',
  },
};
