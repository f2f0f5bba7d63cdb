import { afterEach, describe, expect, it } from '@jest/globals';
import { poolOptions } from '../../../../test/support/smtp/pool-options.js';
import { HANG_UP, mailboxes, type Reaction } from '../../../../test/support/smtp/smtp-behaviours.js';
import { SmtpServer } from '../../../../test/support/smtp/smtp-server.js';
import { SystemClock } from '../../../platform/time/system-clock.js';
import { SmtpTranscript } from '../smtp-transcript.js';
import { SmtpSessionPool } from './smtp-session-pool.js';

const clock = new SystemClock();
/** The faulty transaction: the third of the first four pipelined ones. */
const FAULTY = 4;

let server: SmtpServer;
let pool: SmtpSessionPool;

afterEach(async () => {
  await pool.close();
  await server.stop();
});

describe('pipelined requests', () => {
  it.each<[string, Reaction]>([
    ['a reply too many', { raw: '250 2.1.0 Ok\r\n250 2.0.0 Ok\r\n' }],
    ['a reply too few', []],
    ['a blank line instead of a reply', { raw: '\r\n' }],
    ['a blank line and a reply too many', { raw: '\r\n250 2.1.0 Ok\r\n250 2.0.0 Ok\r\n' }],
    ['a reply too many and a goodbye', [{ raw: '250 2.1.0 Ok\r\n250 2.0.0 Ok\r\n' }, HANG_UP]],
    ['a goodbye', ['421 4.7.0 Too many', HANG_UP]],
  ])(
    'never get another one’s reply, nor name it in the dialogue, when %s changes their order',
    async (_what, fault) => {
      const base = mailboxes();
      let transactions = 0;
      const mail: typeof base.mail = (offer) => ((transactions += 1) === FAULTY ? fault : base.mail(offer));
      server = await SmtpServer.start({ behaviour: { ...base, mail } });
      pool = new SmtpSessionPool(
        poolOptions(server.port, clock, { commandTimeoutMs: 1_500, maxConnections: 1 }),
      );
      const { signal } = new AbortController();
      const transcripts = Array.from({ length: 9 }, () => new SmtpTranscript());
      const findings = await Promise.all(
        Array.from({ length: 9 }, (_, n) => {
          const transcript = transcripts[n];
          const recipient = {
            mailbox: `ghost${n}@example.test`,
            international: false,
            provider: null,
            transcript,
          };
          return pool.probe('127.0.0.1', 'mx.test', {
            team: '',
            priority: 'single',
            recipient,
            signal,
            greetingDeadlineMs: clock.monotonicMs() + 20_000,
          });
        }),
      );
      expect(findings.map(({ category }) => category)).toEqual(Array(9).fill('mailbox_not_found'));
      for (const [n, { lines }] of transcripts.entries())
        expect(new Set(JSON.stringify(lines).match(/ghost\d/g))).toEqual(new Set([`ghost${n}`]));
    },
  );
});
