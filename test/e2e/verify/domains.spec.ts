import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { DomainResponse } from '../../../src/modules/verification/verification/domains/domains.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { plain } from '../../support/mail/mail-scene.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { setPolicy } from '../../support/policy/policy-of.js';
import { catchAll } from '../../support/smtp/smtp-behaviours.js';

const HOUR = 3_600_000;
/** Longer than a process caches rules and lists. */
const UNTIL_SEEN = 5_000;

describe('GET /v1/domains/:domain', () => {
  let world: MailWorld;
  let app: TestApp;
  let account: NewAccount;
  let answers: ResponseValidator;

  beforeAll(async () => {
    const expected = { story: '', expect: {} };
    world = await MailWorld.start({
      scenes: [
        { domain: 'plain.mailworld', servers: [plain], ...expected },
        { domain: 'open.mailworld', servers: [catchAll()], ...expected },
      ],
    });
    const mx = world.dns.zone('plain.mailworld');
    world.dns.set('plain.mailworld', { ...mx, txt: ['verification=1', 'v=spf1 mx -all'] });
    world.dns.set('_dmarc.plain.mailworld', { txt: ['v=DMARC1; p=reject; sp=none'] });
    world.dns.set('_dmarc.mailworld', { txt: ['v=DMARC1; p=none; np=reject; psd=y'] });
    world.dns.set('_mta-sts.plain.mailworld', { txt: ['v=STSv1; id=20260101'] });
    world.dns.set('sub.plain.mailworld', { a: ['127.0.0.9'] });
    world.dns.set('none.mailworld', { mx: [[0, '.']] });
    app = await anApp(world.env);
    answers = await ResponseValidator.published(app);
  });
  beforeEach(async () => {
    account = await app.anAccount();
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const find = async (domain: string, key = account.liveKey): Promise<DomainResponse> => {
    const answer = await app.get(`/v1/domains/${encodeURIComponent(domain)}`, key);
    expect(answer.status).toBe(200);
    answers.expect('GET', '/v1/domains/{domain}', answer);
    return answer.body as DomainResponse;
  };

  it('returns the mail hosts and the records of a domain, without a connection to its servers and without quota', async () => {
    const connections = world.server('plain.mailworld').clients.length;
    expect(await find('PLAIN.mailworld')).toMatchObject({
      domain: 'plain.mailworld',
      accepts_mail: true,
      mx_found: true,
      implicit_mx: false,
      null_mx: false,
      mx: [{ host: 'mx1.plain.mailworld', preference: 10 }],
      catch_all: null,
      catch_all_age_seconds: null,
      disposable: false,
      privacy_relay: false,
      spf: { record: 'v=spf1 mx -all', error: null, all: 'fail' },
      dmarc: { found_at: 'plain.mailworld', policy: 'reject', testing: false },
      mta_sts: { record: 'v=STSv1; id=20260101', error: null, id: '20260101' },
      suppressed: false,
      suppressed_by: null,
      errors: [],
    });
    expect(world.server('plain.mailworld').clients).toHaveLength(connections);
    expect((await app.get('/v1/usage', account.liveKey)).body).toMatchObject({
      total: 0,
      quota: { used: 0 },
    });
  });

  it('finds an implicit MX, a null MX, a domain that does not exist, and the policy of the domain above', async () => {
    expect(await find('sub.plain.mailworld')).toMatchObject({
      ...{ accepts_mail: true, mx_found: false, implicit_mx: true },
      dmarc: { found_at: 'plain.mailworld', organizational_domain: 'plain.mailworld', policy: 'none' },
      spf: { record: null, error: null },
    });
    expect(await find('none.mailworld')).toMatchObject({ accepts_mail: false, null_mx: true, mx: [] });
    expect(await find('absent.mailworld')).toMatchObject({
      dmarc: { found_at: 'mailworld', policy: 'reject' },
      accepts_mail: false,
      mx_found: false,
      errors: [],
    });
  });

  it('shows catch-all with its age after a verification, to the team that has verified', async () => {
    await app.get('/v1/verify?email=jane@open.mailworld', account.liveKey);
    app.clock.advance(2.5 * HOUR);
    const { catch_all, catch_all_age_seconds: age } = await find('open.mailworld');
    expect([catch_all, Math.round((age ?? 0) / 60)]).toEqual([true, 150]);
    const unknown = { catch_all: null, catch_all_age_seconds: null };
    const other = (await app.anAccount()).liveKey;
    expect(await find('open.mailworld', other)).toMatchObject(unknown);
    await app.get('/v1/verify?email=joe@open.mailworld', other);
    expect(await find('open.mailworld', other)).toMatchObject({ catch_all: true });
    app.clock.advance(22 * HOUR);
    expect(await find('open.mailworld')).toMatchObject(unknown);
  });

  it('returns null for what cannot be looked up, and names it', async () => {
    world.dns.set('broken.mailworld', { rcode: 'SERVFAIL' });
    world.dns.set('_dmarc.broken.mailworld', { txt: ['v=DMARC1; p=none'] });
    const found = await find('broken.mailworld');
    expect(found).toMatchObject({ accepts_mail: null, mx_found: null, mx: [], spf: null });
    expect(found.dmarc).toMatchObject({ policy: 'none' });
    expect(found.errors.map(({ member }) => member)).toEqual(['mx', 'spf']);
    expect(found.errors[0]?.error).toContain('SERVFAIL');
  });

  it('shows no control character of a record, and no more than 2,048 characters', async () => {
    world.dns.set('hostile.mailworld', { a: ['127.0.0.9'], txt: ['v=spf1 \u001b[31m\u202e\n -all'] });
    world.dns.set('_mta-sts.hostile.mailworld', { txt: [`v=STSv1; id=1; ${'x'.repeat(200)}`] });
    const { spf, mta_sts } = await find('hostile.mailworld');
    expect(spf?.record).toMatch(/^v=spf1 [\x20-\x7e]+ -all$/);
    expect(mta_sts?.id).toBe('1');
  });

  it.each([
    ['entry of the blocklist', 'blocklist:plain.mailworld'],
    ['rule', 'team:partners'],
  ])('says which %s rejects the domain', async (kind, suppressed_by) => {
    if (kind === 'rule') {
      const when = { domain_suffix: 'plain.mailworld' };
      await setPolicy(app, account.liveKey, [{ id: 'partners', when, decision: 'reject' }]);
    } else await app.post('/v1/blocklist', account.liveKey).send({ domain: 'plain.mailworld' });
    app.clock.advance(UNTIL_SEEN);
    expect(await find('sub.plain.mailworld')).toMatchObject({ suppressed: true, suppressed_by });
    expect(await find('open.mailworld')).toMatchObject({ suppressed: false, suppressed_by: null });
  });

  it('is not suppressed by a rule about an address or a verdict', async () => {
    const rules = [
      { id: 'unknown', when: { status: 'unknown' }, decision: 'reject' },
      { id: 'roles', when: { checks: 'role' }, decision: 'reject' },
    ];
    await setPolicy(app, account.liveKey, rules);
    app.clock.advance(UNTIL_SEEN);
    expect(await find('plain.mailworld')).toMatchObject({ suppressed: false });
  });

  it('refuses what is no domain, with a pointer, and normalizes an internationalized one', async () => {
    for (const domain of ['jane@example.com', '-a.example', '127.0.0.1', 'a..b', `${'a'.repeat(64)}.com`]) {
      const answer = await app.get(`/v1/domains/${encodeURIComponent(domain)}`, account.liveKey);
      expect([domain, answer.status]).toEqual([domain, 400]);
      expect(answer.body).toMatchObject({ errors: [{ code: 'invalid_format' }] });
    }
    expect(await find('BÜCHER.mailworld')).toMatchObject({ domain: 'xn--bcher-kva.mailworld' });
  });

  it('simulates domains for a test key, without the network', async () => {
    const asked = world.dns.questions.length;
    const simulated = (domain: string) => find(domain, account.testKey);
    expect(await simulated('example.com')).toMatchObject({
      ...{
        mx: [{ host: 'mx.example.com' }],
        catch_all: false,
        spf: { all: 'fail' },
        dmarc: { policy: 'reject' },
      },
    });
    expect(await simulated('catch-all.example.com')).toMatchObject({ catch_all: true });
    expect(await simulated('null-mx.example.com')).toMatchObject({ null_mx: true, accepts_mail: false });
    expect(await simulated('implicit-mx.example.com')).toMatchObject({ implicit_mx: true });
    expect(await simulated('no-mail-server.example.com')).toMatchObject({ accepts_mail: false });
    expect(await simulated('disposable.example.com')).toMatchObject({ disposable: true });
    expect(await simulated('privacy-relay.example.com')).toMatchObject({ privacy_relay: true });
    const failed = await simulated('dns-error.example.com');
    expect(failed.errors.map(({ member }) => member)).toEqual(['mx', 'spf', 'dmarc', 'mta_sts']);
    expect(world.dns.questions).toHaveLength(asked);
  });
});
