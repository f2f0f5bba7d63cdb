import { greylisting } from '../support/smtp/smtp-behaviours.js';
import { FakeStripe } from '../support/billing/fake-stripe.js';
import { plain, type MailScene } from '../support/mail/mail-scene.js';
import { MailSink } from '../support/mail/mail-sink.js';
import { MailWorld } from '../support/mail/mail-world.js';
import { PROVIDER_EVENTS } from '../support/outcomes/provider-events.js';
import { SIGNERS, type Signed } from '../support/outcomes/source-signers.js';

const answering = (domain: string): MailScene => ({
  domain,
  story: 'accepts jane, rejects all others',
  servers: [plain],
  expect: { jane: 'accepted_email', ghost: 'mailbox_not_found' },
});

/** Of the released data: a scene that is changed here changes what the test reads. */
const SCENES: MailScene[] = [
  answering('one.mailworld'),
  answering('two.mailworld'),
  answering('three.mailworld'),
  { domain: 'grey.mailworld', story: 'greylists unknown clients', servers: [greylisting(plain)], expect: {} },
  { ...answering('google.mailworld'), story: 'is hosted by Google', hosts: ['aspmx.l.google.com'] },
  ...['fresh', 'stale'].map((name): MailScene => ({
    ...answering(`${name}.mailworld`),
    story: 'its mail server is one of mailinator.com',
    hosts: [`${name}.mailinator.com`],
  })),
];

/** What the service of a release talks to: name servers, mail servers, its own mail server and Stripe. */
export class ReleaseWorld {
  private constructor(
    readonly mail: MailWorld,
    readonly sink: MailSink,
    readonly stripe: FakeStripe,
  ) {}

  static async start(): Promise<ReleaseWorld> {
    const mail = await MailWorld.start({ scenes: SCENES });
    return new ReleaseWorld(mail, await MailSink.start(), await FakeStripe.start());
  }

  /** Environment variables of the service. */
  get env(): Record<string, string> {
    return {
      ...this.mail.env,
      ...this.stripe.env,
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      EGRESS_WARMUP: 'google:100',
      SIGNUP: 'confirm',
      TRUST_PROXY: '1',
      PUBLIC_URL: 'https://verify.example',
      INVITE_SMTP_URL: this.sink.url,
      INVITE_FROM: 'rcpt@service.example',
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.mail.stop(), this.sink.close(), this.stripe.stop()]);
  }
}

/** Event `n` of Mailgun, which happens now, signed with the secret of `SECRETS`. */
export function mailgunEvent(n: number, now: Date): Signed {
  const timestamp = Math.floor(now.getTime() / 1_000);
  return SIGNERS.mailgun({ ...(PROVIDER_EVENTS.mailgun[n] as object), timestamp }, String(timestamp));
}
