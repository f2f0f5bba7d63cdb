import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApp, type TestApp } from '../../support/app/app.js';
import { plain } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

describe('rcpt domain', () => {
  let world: MailWorld;
  let app: TestApp;
  beforeAll(async () => {
    const scene = { domain: 'plain.mailworld', servers: [plain], story: '', expect: {} };
    world = await MailWorld.start({ scenes: [scene] });
    world.dns.set('_dmarc.plain.mailworld', { txt: ['v=DMARC1; p=reject'] });
    app = await anApp(world.env);
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  it('looks a domain up without a service and without a connection to its servers', async () => {
    const { code, out, err } = await runRcpt(['domain', 'Plain.mailworld'], world.env);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('plain.mailworld: accepts mail\n  mail servers  mx1.plain.mailworld (10)\n');
    expect(out).toContain('DMARC         reject, by plain.mailworld');
    expect(world.server('plain.mailworld').clients).toEqual([]);
  });

  it('prints what the API returns, with and without a service', async () => {
    const { liveKey } = await app.anAccount();
    const answer = await app.get('/v1/domains/plain.mailworld', liveKey);
    const expected = { ...(answer.body as object), checked_at: expect.any(String) };
    const local = await runRcpt(['domain', 'plain.mailworld', '--json'], world.env);
    expect(JSON.parse(local.out)).toEqual(expected);
    const env = { ...world.env, RCPT_API_KEY: liveKey };
    const remote = await runRcpt(['domain', 'plain.mailworld', '--json', '--url', app.url], env);
    expect([remote.code, JSON.parse(remote.out)]).toEqual([0, expected]);
  });

  it('refuses what is no domain', async () => {
    expect(await runRcpt(['domain', 'jane@example.com'], world.env)).toMatchObject({ code: 64 });
  });
});
