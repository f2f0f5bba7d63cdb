import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import type { MailScene } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import {
  HANG_UP,
  mailboxes,
  offeringTls,
  requiringTls,
  recipients,
  RESET,
  SILENCE,
  type Reaction,
  type SmtpBehaviour,
} from '../../support/smtp/smtp-behaviours.js';

const plain = mailboxes('jane');
const LATIN_1 = Buffer.from('550 5.1.1 Empf\xe4nger unbekannt\r\n', 'latin1').toString('latin1');

/** Malicious reactions of a server. */
const MISDEEDS: Record<string, Reaction> = {
  'a line without end': { endless: 'x'.repeat(4_096) },
  'a reply without end': { endless: '250-and another thing\r\n' },
  // In one write: a surplus reply that arrives after the next command looks like its reply.
  'replies without end': { endless: '250 Ok\r\n'.repeat(200) },
  'a multi-line greeting without end': { endless: '220-welcome\r\n' },
  'one octet at a time': { drip: '250 2.0.0 Ok, and this takes as long as it takes', everyMs: 500 },
  nothing: SILENCE,
  'the end of the connection': HANG_UP,
  'a reset': RESET,
  'half a line, then a reset': [{ raw: '25' }, RESET],
  'half a reply, then the end': [{ raw: '250-one\r\n' }, HANG_UP],
  'no code': 'Ok',
  'a code that is none': '999 Ok',
  'a code of five digits': '25000 Ok',
  'an HTTP answer': { raw: 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n' },
  NULs: { raw: '\0\0\0\0\0\0\r\n' },
  'empty lines': { raw: '\r\n\r\n\r\n' },
  'terminal escapes': { raw: '\u001b[2J\u001b[31m\r\n' },
  'two codes in one reply': { raw: '250-yes\r\n550 no\r\n' },
};

const STAGES: Record<string, (misdeed: Reaction) => SmtpBehaviour> = {
  'in place of a greeting': (banner) => ({ ...plain, banner }),
  'to EHLO': (ehlo) => ({ ...plain, ehlo, helo: ehlo }),
  'to MAIL': (misdeed) => ({ ...plain, mail: () => misdeed }),
  'to RCPT': (misdeed) => ({ ...plain, rcpt: () => misdeed }),
  'to RCPT of an unknown user': (misdeed) => recipients({ jane: '250 2.1.5 Ok' }, misdeed),
  'to MAIL under TLS': (misdeed) =>
    requiringTls({ ...plain, mail: ({ secure }) => (secure ? misdeed : '250 Ok') }, 'mail'),
};

/** An address outside the scripted servers. */
const FLOOD = '127.2.0.1';

interface Case {
  name: string;
  /** In words. */
  stage: string;
  scene: MailScene;
}

const CASES: Case[] = Object.entries(STAGES).flatMap(([stage, behave], row) =>
  Object.entries(MISDEEDS).map(([misdeed, reaction], column) => ({
    name: `${misdeed} ${stage}`,
    stage,
    scene: {
      domain: `h${row}-${column}.hostile`,
      story: misdeed,
      servers: [behave(reaction)],
      expect: {},
    },
  })),
);

const ODD_TEXTS: [string, string, Reaction, string][] = [
  ['latin', 'in Latin-1', { raw: LATIN_1 }, 'mailbox_not_found'],
  ['control', 'with control characters', '550 5.1.1 \u0007\u001b[31mUser\u0000 unknown', 'mailbox_not_found'],
  ['bidi', 'that runs backwards', '550 5.1.1 \u202eUser unknown', 'mailbox_not_found'],
  [
    'long',
    'of four thousand octets',
    `550 5.1.1 ${'user '.repeat(800)}`.slice(0, 4_000),
    'mailbox_not_found',
  ],
  ['html', 'in HTML', '550 5.1.1 <html><script>alert(1)</script></html>', 'recipient_policy'],
];

const TLS_FAILURES: [string, SmtpBehaviour][] = [
  ['breaks the handshake', { ...requiringTls(plain), startTls: 'broken' }],
  ['refuses STARTTLS', { ...requiringTls(plain), startTls: 'refused' }],
  ['offers no STARTTLS', { ...requiringTls(plain), startTls: 'absent' }],
];

describe('a hostile mail server', () => {
  let world: MailWorld;
  let app: TestApp;
  let liveKey: string;
  let verdicts: Map<string, Promise<VerdictResponse>>;

  beforeAll(async () => {
    const odd = ODD_TEXTS.map(([name, story, reply]) => ({
      domain: `${name}.hostile`,
      story,
      servers: [{ ...plain, rcpt: () => reply }],
      expect: {},
    }));
    const tls = TLS_FAILURES.map(([story, behaviour], index) => ({
      domain: `tls${index}.hostile`,
      story,
      servers: [behaviour],
      expect: {},
    }));
    const offered = {
      domain: 'offered.hostile',
      story: 'cannot do the TLS that it need not do',
      servers: [{ ...offeringTls(plain), startTls: 'broken' as const }],
      expect: {},
    };
    const flood = {
      domain: 'flood.hostile',
      story: 'pours as fast as it can',
      dns: { 'flood.hostile': { mx: [[10, 'mx.flood.hostile']] }, 'mx.flood.hostile': { a: [FLOOD] } },
      expect: {},
    } satisfies MailScene;
    const good = { domain: 'good.hostile', story: 'is well', servers: [plain], expect: {} };
    const scenes: MailScene[] = [...CASES.map(({ scene }) => scene), ...odd, ...tls, offered, flood, good];
    world = await MailWorld.start({ scenes });
    // The name server may be slow under this load.
    app = await anApp({ ...world.env, SMTP_COMMAND_TIMEOUT_MS: '1500', DNS_TIMEOUT_MS: '2000' });
    ({ liveKey } = await app.anAccount());
    const verify = async (domain: string): Promise<VerdictResponse> =>
      (await app.get(`/v1/verify?email=jane@${domain}&timeout=5`, liveKey)).body as VerdictResponse;
    // Concurrently: a stalled server must not delay the others.
    verdicts = new Map(CASES.map(({ scene }) => [scene.domain, verify(scene.domain)]));
    await Promise.all(verdicts.values());
    for (const { domain } of [...odd, ...tls, offered]) verdicts.set(domain, verify(domain));
    await Promise.all(verdicts.values());
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  it.each(CASES)(
    'that answers with $name causes a verdict that is neither deliverable nor undeliverable, and is disconnected',
    async ({ scene }) => {
      const verdict = await verdicts.get(scene.domain);
      // Risky: the address was accepted before the misbehaviour.
      expect(['unknown', 'risky']).toContain(verdict?.status);
      expect(verdict?.reason).not.toBe('internal_error');
      await world.server(scene.domain).until(({ openConnections }) => openConnections === 0);
    },
  );

  // Not at RCPT, nor with surplus replies: MAIL and RCPT are pipelined where offered, so a second "250"
  // to MAIL cannot be distinguished from the reply to RCPT.
  it.each(CASES.filter(({ stage, name }) => !stage.includes('RCPT') && !name.startsWith('replies')))(
    'that answers with $name is unknown, whatever follows',
    async ({ scene }) => {
      expect(await verdicts.get(scene.domain)).toMatchObject({ status: 'unknown' });
    },
  );

  it.each(ODD_TEXTS)(
    'that replies at %s with %s is parsed, and its text is safe to show',
    async (name, _story, _reply, reason) => {
      const verdict = await verdicts.get(`${name}.hostile`);
      expect(verdict?.reason).toBe(reason);
      expect(verdict?.smtp?.text ?? '').not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
      expect([...(verdict?.smtp?.text ?? '')].length).toBeLessThanOrEqual(200);
    },
  );

  it.each(TLS_FAILURES.map(([story], index) => [story, `tls${index}.hostile`]))(
    'that requires TLS and %s is unknown',
    async (_story, domain) => {
      expect(await verdicts.get(domain)).toMatchObject({ status: 'unknown' });
    },
  );

  it('with broken but optional TLS is probed without it', async () => {
    expect(await verdicts.get('offered.hostile')).toMatchObject({ reason: 'accepted_email' });
  });

  it('that sends endless data is read only up to the maximum reply length', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      pour(socket, '220-welcome to our network\r\n'.repeat(2_000));
    });
    server.listen(world.smtp.port, FLOOD);
    await once(server, 'listening');
    const answer = await app.get('/v1/verify?email=jane@flood.hostile&timeout=5', liveKey);
    expect(answer.body).toMatchObject({ status: 'unknown', reason: 'smtp_protocol_error' });
    server.close();
    await once(server, 'close');
    const poured = sockets.map(({ bytesWritten }) => bytesWritten);
    expect(poured).toHaveLength(1);
    // Data that fits into the socket buffers is written even when nobody reads it.
    expect(Math.max(...poured)).toBeLessThan(64_000_000);
  });

  it('does not harm the service: an ordinary server is probed as before', async () => {
    const answer = await app.get('/v1/verify?email=jane@good.hostile', liveKey);
    expect(answer.body).toMatchObject({ status: 'deliverable', reason: 'accepted_email' });
  });
});

/** Writes as fast as the peer reads, until it disconnects. */
function pour(socket: Socket, text: string): void {
  const more = () => {
    while (socket.writable && socket.write(text));
  };
  socket.on('error', () => undefined).on('drain', more);
  more();
}
