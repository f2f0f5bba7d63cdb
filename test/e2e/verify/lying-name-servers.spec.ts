import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DENIES_WELL_KNOWN,
  WELL_KNOWN_DOMAINS,
} from '../../../src/engine/dns/adapters/dns-resolver-check.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { DnsWorld } from '../../support/dns/dns-world.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';
import { scrape } from '../../support/app/samples.js';

const MAIL = { mx: [[10, 'mx.well-known.test']] as [number, string][] };

let world: DnsWorld;
let app: TestApp;
let key: string;
beforeAll(async () => {
  world = await DnsWorld.start({ zones: { 'web.test': { a: [] } }, negativeTtl: 900 });
  app = await anApp({ DNS_SERVERS: world.server, DNS_TIMEOUT_MS: '2000', SMTP_ENABLED: 'false' });
  ({ liveKey: key } = await app.anAccount());
});
afterAll(async () => {
  await app.stop();
  await world.stop();
});

async function reasonOf(email: string): Promise<string> {
  const answer = await app.get(`/v1/verify?email=${email}`, key);
  return (answer.body as { reason: string }).reason;
}
const ready = async () => (await app.get('/readyz')).body as { status: string; reasons: object };
const metric = async (name: string) => (await scrape(app)).get(name);

describe('a name server with Internet access', () => {
  it('is accepted when it proves that a domain does not exist', async () => {
    expect(await reasonOf('jane@absent.mailworld')).toBe('invalid_domain');
    expect(await ready()).toMatchObject({ status: 'ok', reasons: {} });
    expect(await metric('rcpt_dns_servers_unhealthy')).toBe(0);
  });
});

describe('a name server that denies well-known domains', () => {
  beforeAll(() => {
    for (const domain of WELL_KNOWN_DOMAINS) world.set(domain, null);
    app.clock.advance(5 * 60_000);
  });

  it('makes no domain invalid, and is reported in /readyz, the log and the metrics', async () => {
    expect(await reasonOf('jane@other.mailworld')).toBe('dns_error');
    // Cached as non-existent before; a new address, because the team has facts about the first one.
    expect(await reasonOf('john@absent.mailworld')).toBe('dns_error');
    expect(await ready()).toMatchObject({
      status: 'degraded',
      checks: { dns: 'degraded' },
      reasons: { dns: expect.stringContaining('gmail.com, outlook.com, yahoo.com do not exist') },
    });
    expect((await app.get('/readyz')).status).toBe(200);
    expect(await metric('rcpt_dns_servers_unhealthy')).toBe(1);
    expect(await metric('rcpt_dns_rejected_answers_total{why="denies_well_known"}')).toBeGreaterThanOrEqual(
      2,
    );
    expect(app.logged()).toContain('its negative responses are not accepted');
  });

  it('is reported by rcpt in one sentence beside the verdict, and not as a line of a log', async () => {
    const env = { DNS_SERVERS: world.server, DNS_TIMEOUT_MS: '2000', SMTP_ENABLED: 'false' };
    const { code, out, err } = await runRcpt(['verify', 'jane@fourth.mailworld'], env);
    expect(code).toBe(3);
    expect(out).toMatch(/^jane@fourth\.mailworld: unknown \(dns_error\)/);
    expect(err).toBe(
      `rcpt: ${DENIES_WELL_KNOWN}: its negative responses are not accepted (server: ${world.server})\n`,
    );
  });

  it('is checked again after 30 s and then accepted, without a restart', async () => {
    for (const domain of WELL_KNOWN_DOMAINS) world.set(domain, MAIL);
    app.clock.advance(30_000);
    expect(await reasonOf('jane@third.mailworld')).toBe('invalid_domain');
    expect(await ready()).toMatchObject({ status: 'ok' });
  });
});

describe('a name server that refuses every query', () => {
  it('is named in the verdict, and reported in /readyz, the metrics and one warning of the log', async () => {
    const refusing = await DnsWorld.start({ zones: {}, lie: { rcode: 'REFUSED' } });
    for (const domain of WELL_KNOWN_DOMAINS) refusing.set(domain, { rcode: 'REFUSED' });
    const other = await anApp({ DNS_SERVERS: refusing.server, SMTP_ENABLED: 'false' });
    const { liveKey } = await other.anAccount();
    for (let n = 0; n < 6; n++)
      expect((await other.get(`/v1/verify?email=jane@d${n}.mailworld`, liveKey)).body).toMatchObject({
        reason: 'dns_error',
        dns: { mx_found: null, error: `${refusing.server}: REFUSED` },
      });
    const state = async () => (await other.get('/readyz')).body as { status: string; reasons: object };
    while ((await state()).status === 'ok') await setImmediate();
    expect(await state()).toMatchObject({
      status: 'degraded',
      checks: { dns: 'degraded' },
      reasons: { dns: expect.stringContaining('REFUSED') },
    });
    expect((await scrape(other)).get('rcpt_dns_servers_unhealthy')).toBe(1);
    expect(other.logged().match(/does not answer for any domain/g)).toHaveLength(1);
    await other.stop();
    await refusing.stop();
  });
});

describe('a name server that omits the SOA record', () => {
  it('proves nothing: its negative responses are dns_error and free', async () => {
    const bare = await DnsWorld.start({ zones: { 'text.mailworld': { txt: ['x'] } }, negativeTtl: null });
    const other = await anApp({ DNS_SERVERS: bare.server, DNS_TIMEOUT_MS: '2000', SMTP_ENABLED: 'false' });
    const { liveKey } = await other.anAccount();
    for (const email of ['jane@absent.mailworld', 'jane@text.mailworld'])
      expect((await other.get(`/v1/verify?email=${email}`, liveKey)).body).toMatchObject({
        status: 'unknown',
        reason: 'dns_error',
      });
    expect((await other.get('/v1/usage', liveKey)).body).toMatchObject({ quota: { used: 0 } });
    await other.stop();
    await bare.stop();
  });
});
