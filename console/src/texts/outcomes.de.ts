import type { outcomesEn } from './outcomes.en';

const CREDENTIAL = 'Benutzer und Passwort, etwa hook:ein-langes-passwort';

export const outcomesDe: typeof outcomesEn = {
  outcomes: {
    title: 'Zustellung',
    intro:
      'Was aus Ihren E-Mails wurde. Ein Rückläufer macht eine Adresse unzustellbar, eine Zustellung zustellbar, nur für Ihr Team.',
    sources: 'Versanddienste, die ihre Ereignisse senden',
    sourcesHint:
      'Rückläufer, Beschwerden und Zustellungen kommen von selbst, sobald ein Versanddienst Ihre URL kennt.',
    add: 'Versanddienst anlegen',
    kind: 'Versanddienst',
    emptyTitle: 'Noch kein Versanddienst',
    empty: 'Legen Sie den an, der Ihre E-Mails verschickt, oder melden Sie Rückläufer mit dem Befehl unten.',
    ready: 'Die URL ist fertig',
    url: 'URL für den Versanddienst',
    deleteAsk: (name: string) => `Die Quelle ${name} löschen? Ihre URL gilt sofort nicht mehr.`,
    deleteTitle: 'Quelle löschen',
    liveOnly: 'Zum Anlegen und Löschen ist ein Live-Schlüssel nötig.',
    report: 'Selbst melden',
    reportHint:
      'Eine CSV oder NDJSON mit den Spalten email, outcome und reply, ein Postfach mit Rückläufern oder eine Nachricht auf der Standardeingabe:',
    command:
      'rcpt ist der Befehl des npm-Pakets @rcpt/server. In einem Klon seines Repositorys heißt er npx --no rcpt.',
    docs: 'Die Formate stehen in der API-Dokumentation.',
    kinds: {
      ses: {
        name: 'Amazon SES',
        secret: '',
        place: 'Abonnieren Sie damit das SNS-Topic Ihrer Benachrichtigungen, mit dem Protokoll HTTPS.',
      },
      sendgrid: {
        name: 'SendGrid',
        secret: 'Verification Key des signierten Event Webhook',
        place: 'Settings → Mail Settings → Event Webhooks: Bounced, Delivered und Spam reports.',
      },
      postmark: {
        name: 'Postmark',
        secret: CREDENTIAL,
        place: 'Webhooks des Message Stream: Bounce, Spam complaint und Delivery.',
      },
      mailgun: {
        name: 'Mailgun',
        secret: 'HTTP webhook signing key',
        place: 'Sending → Webhooks: Permanent failure, Delivered und Spam complaints.',
      },
      resend: {
        name: 'Resend',
        secret: 'Signing Secret, whsec_…',
        place: 'Webhooks: email.bounced, email.complained und email.delivered.',
      },
      brevo: {
        name: 'Brevo',
        secret: CREDENTIAL,
        place:
          'Transactional → Settings → Webhook: Hard bounce, Soft bounce, Invalid email, Delivered und Complaint.',
      },
      sparkpost: {
        name: 'SparkPost',
        secret: CREDENTIAL,
        place: 'Webhooks: Bounce, Out of band, Delivery und Spam complaint.',
      },
      postal: {
        name: 'Postal',
        secret: 'Öffentlicher Schlüssel von Postal, PEM oder der Text nach p= in seinem DKIM-Eintrag',
        place: 'Webhooks des Mailservers: MessageSent, MessageDeliveryFailed und MessageBounced.',
      },
      mailjet: {
        name: 'Mailjet',
        secret: CREDENTIAL,
        place:
          'Event notifications: sent, bounce und spam, gruppiert. Setzen Sie Benutzer und Passwort in die URL, nach https://, und @ dahinter.',
      },
      mandrill: {
        name: 'Mandrill (Mailchimp Transactional)',
        secret: 'Schlüssel des Webhook',
        place: 'Settings → Webhooks: Delivered (oder Sent), Bounced, Soft-Bounced und Marked As Spam.',
      },
      mailersend: {
        name: 'MailerSend',
        secret: 'Signing Secret des Webhook',
        place: 'Domains → Webhooks: delivered, hard bounced, soft bounced und spam complaint.',
      },
      mailtrap: {
        name: 'Mailtrap',
        secret: 'Signing Secret des Webhook',
        place: 'Settings → Webhooks: Delivery, Bounce und Spam, als JSON.',
      },
      kumomta: {
        name: 'KumoMTA',
        secret: 'Benutzer und Passwort wie hook:ein-langes-passwort, oder ein Bearer-Token',
        place: 'Ein Log Hook, der die Einträge Delivery, Bounce, OOB und Feedback sendet.',
      },
    },
    accuracy: 'Was hereinkam, und was es über die Ergebnisse sagt',
    accuracyHint:
      'E-Mails an Adressen, die vorher geprüft wurden. Als Rückläufer zählen die, nach denen es das Postfach nicht gibt.',
    period: 'Zeitraum',
    days: (days: number) => `Die letzten ${days} Tage`,
    noneTitle: 'Nichts kam herein',
    none: 'In diesem Zeitraum wurde nichts über geprüfte Adressen gemeldet.',
    count: { delivered: 'Zugestellt', bounced: 'Rückläufer', complained: 'Beschwerden' },
    chart: 'Anteil der Rückläufer, mit 90-%-Intervall',
    table: 'Genauigkeit nach Grund und Anbieter',
    columns: ['Grund', 'Anbieter', 'Geprüft', 'Zugestellt', 'Rückläufer', 'Beschwerden', 'Anteil Rückläufer'],
    bouncesOnly: 'unbekannt: nur Rückläufer',
    bouncesOnlyHint:
      'Ein Anteil braucht das Ganze. Melden Sie auch Zustellungen, oder lassen Sie Ihren Versanddienst sie senden: Dann sind Anteil der Rückläufer, Schätzungen und erwartete Rückläufer bekannt.',
    reports: 'Sendet',
    reportsNothing: 'nichts in 30 Tagen',
    rate: (value: string, low: string, high: string) => `${value} (${low}–${high})`,
    calibration: (outcomes: string, error: string, brier: string) =>
      `Die Schätzungen vor ${outcomes} Meldungen lagen im Mittel ${error} daneben (Brier-Wert ${brier}).`,
    estimate: (value: string, low: string, high: string) =>
      `Von E-Mails an Adressen wie diese kommen etwa ${value} an (${low} bis ${high}).`,
    step: 'Ihre E-Mails',
    known: {
      bounced: (when: string) => `Eine E-Mail an sie kam am ${when} zurück.`,
      delivered: (when: string) => `Eine E-Mail an sie wurde am ${when} zugestellt.`,
      complained: (when: string) => `Über eine E-Mail an sie hat sich am ${when} jemand beschwert.`,
    },
  },
};
