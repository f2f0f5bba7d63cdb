import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts.service.js';
import { ExperienceService } from '../../../src/modules/outcomes/experience.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const EX_USAGE = 64;

describe('rcpt accuracy', () => {
  let world: MailWorld;
  let app: TestApp;
  let account: NewAccount;
  beforeAll(async () => {
    world = await MailWorld.start();
    app = await anApp(world.env);
    account = await app.anAccount();
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const env = () => ({ RCPT_URL: app.url, RCPT_API_KEY: account.liveKey });
  const rcpt = (args: string[] = [], more: Record<string, string> = env()) =>
    runRcpt(['accuracy', ...args], more);
  const tell = async (outcomes: object[]) => {
    await app.post('/v1/outcomes', account.liveKey).send({ outcomes });
    app.clock.advance(5_000);
  };

  it('prints an empty table for a team without outcomes', async () => {
    const { code, out, err } = await rcpt();
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(
      'reason  provider  verified  delivered  bounced  complained  bounce rate\n\nEstimates: 0 outcomes\n',
    );
  });

  it('prints what became of the mails by reason and provider, and how the estimates compare', async () => {
    const people = Array.from({ length: 5 }, (_, n) => `person${n}@people.mailworld`);
    const verify = async (emails: readonly string[]) => {
      for (const email of emails) await app.get(`/v1/verify?email=${email}`, account.liveKey);
      await app.service.app.get(ExperienceService).flush();
    };
    const [hard, delivered] = [
      { outcome: 'bounced', reply: '550 5.1.1 User unknown' },
      { outcome: 'delivered' },
    ];
    await tell([{ email: 'first@elsewhere.mailworld', ...delivered }]);
    await verify([...people.slice(0, 4), 'ghost@people.mailworld']);
    await tell(people.slice(0, 4).map((email, n) => ({ email, ...(n === 0 ? hard : delivered) })));
    await app.service.app.get(ExperienceService).learnDue();
    app.clock.advance(5_000);
    await verify(people.slice(4));
    await tell([{ email: people[4], ...delivered }]);

    const { code, out, err } = await rcpt();
    expect([code, err]).toEqual([0, '']);
    const [head, accepted, unknown, ...rest] = out.trimEnd().split('\n');
    expect(head).toMatch(/^reason +provider +verified +delivered +bounced +complained +bounce rate$/);
    expect(accepted).toMatch(/^accepted_email +5 +4 +1 +0 +20\.0 % \(\d+\.\d % – \d+\.\d %\)$/);
    expect(unknown).toMatch(/^mailbox_not_found +1 +0 +0 +0$/);
    expect(rest).toEqual([
      '',
      expect.stringMatching(/^Estimates: 1 outcomes, Brier score 0\.\d{3}, error 0\.\d{3}$/),
    ]);
    // Columns begin below their names.
    expect(accepted?.indexOf('20.0 %')).toBe(head?.indexOf('bounce rate'));

    const json = await rcpt(['--json', '--days', '30']);
    const answer = await app.get('/v1/accuracy?days=30', account.liveKey);
    expect(JSON.parse(json.out)).toEqual(answer.body);
  });

  it('says what to write instead of bad input', async () => {
    const noUrl = await rcpt([], { RCPT_API_KEY: account.liveKey });
    expect([noUrl.code, noUrl.err]).toEqual([EX_USAGE, expect.stringContaining('Set --url or RCPT_URL')]);
    const noKey = await rcpt(['--url', app.url], {});
    expect([noKey.code, noKey.err]).toEqual([EX_USAGE, expect.stringContaining('Set RCPT_API_KEY')]);
    for (const days of ['0', '366', '1&days=2', 'many']) {
      const { code, err } = await rcpt(['--days', days]);
      expect([days, code, err]).toEqual([days, EX_USAGE, expect.stringContaining('days')]);
    }
    const wrong = await rcpt([], { ...env(), RCPT_API_KEY: 'rcpt_live_wrong' });
    expect(wrong.code).not.toBe(0);
    expect(wrong.err).not.toContain('rcpt_live_wrong');
  });
});
