import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { AccuracyResponse } from '../../../src/modules/verification/outcomes/outcomes.dto.js';
import { LearningService } from '../../../src/modules/verification/outcomes/learning.service.js';
import { TeamStatisticsService } from '../../../src/modules/verification/outcomes/team-statistics.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const EX_USAGE = 64;
const EX_SOFTWARE = 70;

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

  const access = () => ({ RCPT_URL: app.url, RCPT_API_KEY: account.liveKey });
  const rcpt = (args: string[] = [], env: Record<string, string> = access()) =>
    runRcpt(['accuracy', ...args], env);
  const tell = async (outcomes: object[]) => {
    const sent = await app.post('/v1/outcomes', account.liveKey).send({ outcomes });
    expect(sent.body).toMatchObject({ stored: outcomes.length });
    // What a process has read is older than 4 s.
    app.clock.advance(5_000);
  };

  it('prints how verdicts compare with outcomes, as a table and as the JSON of the service', async () => {
    const header = 'provider  verified  delivered  bounced  complained  bounce rate';
    expect(await rcpt()).toEqual({
      code: 0,
      out: `reason  ${header}\n\nEstimates: 0 outcomes\n`,
      err: '',
    });
    await tell([{ email: 'first@elsewhere.mailworld', outcome: 'delivered' }]);
    for (const name of ['person0', 'person1', 'ghost'])
      await app.get(`/v1/verify?email=${name}@people.mailworld`, account.liveKey);
    await app.service.app.get(TeamStatisticsService).flush();
    await tell([
      { email: 'person0@people.mailworld', outcome: 'delivered' },
      { email: 'person1@people.mailworld', outcome: 'bounced', reply: '550 5.1.1 User unknown' },
    ]);
    const { code, out, err } = await rcpt();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      `reason             ${header}`,
      'accepted_email               2         1          1        0           50.0 % (9.7 % – 90.3 %)',
      'mailbox_not_found            1         0          0        0',
      '',
      'Estimates: 0 outcomes',
      '',
    ]);
    const { body } = (await app.get('/v1/accuracy', account.liveKey)) as { body: AccuracyResponse };
    expect(JSON.parse((await rcpt(['--json'])).out)).toEqual(body);
    // Tomorrow these verdicts are older than a day.
    app.clock.advance(2 * 86_400_000);
    expect((await rcpt(['--days', '1'])).out).not.toContain('accepted_email');
    expect((await rcpt()).out).toContain('accepted_email');
  });

  it('prints how the estimates compare with what came', async () => {
    const verify = async (name: string) => {
      await app.get(`/v1/verify?email=${name}@people.mailworld`, account.liveKey);
      await app.service.app.get(TeamStatisticsService).flush();
    };
    await verify('person2');
    await tell([{ email: 'person2@people.mailworld', outcome: 'delivered' }]);
    await app.service.app.get(LearningService).learnDue();
    app.clock.advance(5_000);
    await verify('person3');
    await tell([{ email: 'person3@people.mailworld', outcome: 'delivered' }]);
    expect((await rcpt()).out).toMatch(/\n\nEstimates: 1 outcomes, Brier score 0\.\d{3}, error 0\.\d{3}\n$/);
  });

  it('says what is wrong with the command, the key or the service', async () => {
    const refused = (message: string, code = EX_USAGE) => ({ code, out: '', err: `rcpt: ${message}\n` });
    expect(await rcpt(['--days', '0'])).toEqual(
      refused('400 invalid_request: /days: Send a whole number of days from 1 to 365.'),
    );
    expect(await rcpt([], { RCPT_API_KEY: account.liveKey })).toEqual(
      refused('name the service with --url or RCPT_URL'),
    );
    expect(await rcpt([], { RCPT_URL: app.url })).toEqual(
      refused('set RCPT_API_KEY to a key of that service'),
    );
    const wrong = await rcpt([], { ...access(), RCPT_API_KEY: 'rcpt_live_x' });
    expect(wrong).toMatchObject({ code: EX_USAGE, err: expect.stringContaining('401 invalid_credential') });
    const away = await rcpt(['--url', 'http://127.0.0.1:2']);
    expect(away).toMatchObject({ code: EX_SOFTWARE, out: '', err: expect.stringContaining('127.0.0.1:2') });
  });
});
