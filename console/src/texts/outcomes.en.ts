import type { Schemas } from '../api/client';

type Kind = Schemas['OutcomeSource']['kind'];

/** What a source is called, what its secret is (empty: it has none), and where its URL belongs. */
type Source = Readonly<{ name: string; secret: string; place: string }>;

const CREDENTIAL = 'User and password, such as hook:a-long-password';

export const outcomesEn = {
  outcomes: {
    title: 'Outcomes',
    intro:
      'What became of your mails. A bounce makes an address undeliverable and a delivery makes it deliverable, for your team only.',
    sources: 'Mail providers that send their events',
    sourcesHint: 'Bounces, complaints and deliveries arrive by themselves once a provider knows your URL.',
    add: 'Add a provider',
    kind: 'Provider',
    emptyTitle: 'No provider yet',
    empty: 'Add the one that sends your mail, or report bounces with the command below.',
    ready: 'The URL is ready',
    url: 'URL for the provider',
    deleteAsk: (name: string) => `Delete the source ${name}? Its URL stops working at once.`,
    deleteTitle: 'Delete the source',
    liveOnly: 'A live key is needed to add or delete a provider.',
    report: 'Report them yourself',
    reportHint:
      'A CSV or NDJSON with the columns email, outcome and reply, a mailbox with bounces, or one message on standard input:',
    command:
      'rcpt is the command of the npm package @rcpt/server. In a clone of its repository it is npx --no rcpt.',
    docs: 'The formats are in the API documentation.',
    kinds: {
      ses: {
        name: 'Amazon SES',
        secret: '',
        place: 'Subscribe it to the SNS topic of your notifications, with the protocol HTTPS.',
      },
      sendgrid: {
        name: 'SendGrid',
        secret: 'Verification key of the signed event webhook',
        place: 'Settings → Mail Settings → Event Webhooks: Bounced, Delivered and Spam reports.',
      },
      postmark: {
        name: 'Postmark',
        secret: CREDENTIAL,
        place: 'Webhooks of the message stream: Bounce, Spam complaint and Delivery.',
      },
      mailgun: {
        name: 'Mailgun',
        secret: 'HTTP webhook signing key',
        place: 'Sending → Webhooks: Permanent failure, Delivered and Spam complaints.',
      },
      resend: {
        name: 'Resend',
        secret: 'Signing secret, whsec_…',
        place: 'Webhooks: email.bounced, email.complained and email.delivered.',
      },
      brevo: {
        name: 'Brevo',
        secret: CREDENTIAL,
        place:
          'Transactional → Settings → Webhook: Hard bounce, Soft bounce, Invalid email, Delivered and Complaint.',
      },
      sparkpost: {
        name: 'SparkPost',
        secret: CREDENTIAL,
        place: 'Webhooks: Bounce, Out of band, Delivery and Spam complaint.',
      },
      postal: {
        name: 'Postal',
        secret: 'Public key of Postal, PEM or the text after p= in its DKIM record',
        place: 'Webhooks of the mail server: MessageSent, MessageDeliveryFailed and MessageBounced.',
      },
      mailjet: {
        name: 'Mailjet',
        secret: CREDENTIAL,
        place:
          'Event notifications: sent, bounce and spam, grouped. Put the user and the password into the URL, after https://, and @ after them.',
      },
      mandrill: {
        name: 'Mandrill (Mailchimp Transactional)',
        secret: 'Key of the webhook',
        place: 'Settings → Webhooks: Delivered (or Sent), Bounced, Soft-Bounced and Marked As Spam.',
      },
      mailersend: {
        name: 'MailerSend',
        secret: 'Signing secret of the webhook',
        place: 'Domains → Webhooks: delivered, hard bounced, soft bounced and spam complaint.',
      },
      mailtrap: {
        name: 'Mailtrap',
        secret: 'Signing secret of the webhook',
        place: 'Settings → Webhooks: Delivery, Bounce and Spam, as JSON.',
      },
      kumomta: {
        name: 'KumoMTA',
        secret: 'User and password such as hook:a-long-password, or a bearer token',
        place: 'A log hook that sends the records Delivery, Bounce, OOB and Feedback.',
      },
    } satisfies Record<Kind, Source> as Record<Kind, Source>,
    accuracy: 'What came in, and what it says about the verdicts',
    accuracyHint:
      'Outcomes of mails to addresses that were verified before. Bounced are those that say the mailbox does not exist.',
    period: 'Period',
    days: (days: number) => `The last ${days} days`,
    noneTitle: 'Nothing came in',
    none: 'In this period there were no outcomes of verified addresses.',
    count: { delivered: 'Delivered', bounced: 'Bounced', complained: 'Complaints' },
    chart: 'Share that bounced, with a 90 % interval',
    table: 'Accuracy by reason and provider',
    columns: ['Reason', 'Provider', 'Verified', 'Delivered', 'Bounced', 'Complaints', 'Share that bounced'],
    bouncesOnly: 'not known: bounces only',
    bouncesOnlyHint:
      'A share needs its whole. Report deliveries too, or let your provider send them: then the share that bounced, estimates and expected bounces are known.',
    reports: 'Sends',
    reportsNothing: 'nothing in 30 days',
    rate: (value: string, low: string, high: string) => `${value} (${low}–${high})`,
    calibration: (outcomes: string, error: string, brier: string) =>
      `The estimates given before ${outcomes} outcomes were ${error} off on average (Brier score ${brier}).`,
    estimate: (value: string, low: string, high: string) =>
      `Of mails to addresses like this one, about ${value} arrive (${low} to ${high}).`,
    step: 'Your mails',
    known: {
      bounced: (when: string) => `A mail to it came back on ${when}.`,
      delivered: (when: string) => `A mail to it was delivered on ${when}.`,
      complained: (when: string) => `Somebody complained about a mail to it on ${when}.`,
    },
  },
};
