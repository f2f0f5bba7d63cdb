import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { PolicyResponse } from '../../../src/modules/verification/policy/policy.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { joinTeam } from '../../support/app/joins.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const EX_USAGE = 64;

describe('rcpt policy', () => {
  let app: TestApp;
  let account: NewAccount;
  let folder: string;
  beforeAll(async () => {
    app = await anApp();
    account = await app.anAccount();
    folder = await mkdtemp(join(tmpdir(), 'rcpt-policy-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await app.stop();
  });

  const rcpt = (args: string[], key = account.liveKey) =>
    runRcpt(['policy', ...args], { RCPT_URL: app.url, RCPT_API_KEY: key });
  const file = async (content: string) => {
    const path = join(folder, 'policy.json');
    await writeFile(path, content);
    return path;
  };
  const rules = [{ id: 'none', when: { tld: 'invalid' }, decision: 'review' }];

  it('set takes what get prints', async () => {
    expect(await rcpt(['get'])).toMatchObject({ code: 0, err: '' });
    const path = await file(JSON.stringify({ rules }));
    expect(await rcpt(['set', path])).toEqual({ code: 0, out: 'The policy has 1 rule.\n', err: '' });
    const { out } = await rcpt(['get']);
    const { body } = (await app.get('/v1/policy', account.liveKey)) as { body: PolicyResponse };
    expect(JSON.parse(out)).toEqual(body);
    expect(JSON.parse((await rcpt(['set', await file(out), '--json'])).out)).toEqual(body);
  });

  it('preview prints what would change, and stores nothing', async () => {
    await app.request('put', '/v1/policy', account.liveKey).send({ rules: [] });
    await aBulkJob(app, account.liveKey, ['jane@a.invalid', 'jane@b.invalid', 'x']);
    await workOn(app);
    const path = await file(JSON.stringify({ rules }));
    const { code, out, err } = await rcpt(['preview', path, '--days', '3']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n').slice(0, 6)).toEqual([
      '3 verdicts of lists of the last 3 days: 2 would change.',
      'accept  0',
      'review  0 → 2',
      'reject  3 → 1',
      '',
      'Examples:',
    ]);
    expect(out).toContain('a.invalid (invalid_domain): reject → review, team:none\n');
    expect(JSON.parse((await rcpt(['preview', path, '--json'])).out)).toMatchObject({
      verdicts: 3,
      changed: 2,
    });
    expect(JSON.parse((await rcpt(['get'])).out)).toMatchObject({ rules: [] });
  });

  it('says what is wrong with the file, its rules, the days or the role', async () => {
    const refused = (message: string) => ({ code: EX_USAGE, out: '', err: `rcpt: ${message}\n` });
    const broken = await file('{');
    expect(await rcpt(['set', broken])).toEqual(
      refused(`${broken} is not JSON; write {"rules": […]}, as rcpt policy get prints it`),
    );
    const list = await file('[]');
    expect(await rcpt(['preview', list])).toEqual(
      refused(`${list} is no object; write {"rules": […]}, as rcpt policy get prints it`),
    );
    expect((await rcpt(['set', join(folder, 'absent.json')])).err).toContain('there is no file or folder');
    const wrong = await file('{"rules":[{"when":{},"decision":"block"}]}');
    expect(await rcpt(['set', wrong])).toEqual(
      refused('400 invalid_request: /rules/0/decision: Send one of accept, review, reject.'),
    );
    const path = await file(JSON.stringify({ rules }));
    for (const days of ['31', 'x'])
      expect((await rcpt(['preview', path, '--days', days])).err).toContain(
        'Send a whole number of days from 1 to 30.',
      );
    const { key } = await joinTeam(app, account);
    expect((await rcpt(['set', path], key)).err).toContain('403 role_required');
  });
});
