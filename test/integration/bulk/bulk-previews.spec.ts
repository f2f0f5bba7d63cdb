import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Engine } from '../../../src/engine/engine.js';
import { PreviewRepository } from '../../../src/modules/bulk/domain/preview.repository.js';
import { ListPreviewsService } from '../../../src/modules/bulk/preview/list-previews.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aHeldJob, jobOf, previewOn, sendList, verifyOn } from '../../support/app/bulk.js';
import { DnsWorld } from '../../support/dns/dns-world.js';

describe('a held list', () => {
  let dns: DnsWorld;
  let app: TestApp;
  beforeAll(async () => {
    dns = await DnsWorld.start({ zones: {}, port: 0 });
    app = await anApp({ DNS_SERVERS: dns.server });
  });
  afterAll(async () => {
    await app.stop();
    await dns.stop();
  });

  const held = (key: string, emails: readonly unknown[]) => aHeldJob(app, key, emails);

  it('has its preview continued by another process where the first one has ended', async () => {
    const { liveKey, team } = await app.anAccount();
    const emails = Array.from({ length: 14_000 }, (_, n) => `person${n}@domain${n % 2_800}.invalid`);
    const { id } = await held(liveKey, emails);
    const service = app.service.app.get(ListPreviewsService);
    const first = await service.claim(team.id);
    expect(await service.claim(team.id)).toBeNull();
    // It ends after its first save: the lease expires.
    const stop = new AbortController();
    const repository = app.service.app.get(PreviewRepository);
    const save = repository.save.bind(repository);
    repository.save = async (preview) => {
      const isSaved = await save(preview);
      stop.abort();
      return isSaved;
    };
    await service.make(first!, stop.signal);
    repository.save = save;
    const second = await service.claim(team.id);
    expect(second?.nextChunk).toBeGreaterThan(0);
    await service.make(second!, new AbortController().signal);
    expect((await jobOf(app, liveKey, id)).preview).toMatchObject({
      unique: 14_000,
      // All of the 2,000 domains that are looked up.
      dead_domains: 2_000,
    });
    await app.delete(`/v1/bulk-jobs/${id}`, liveKey);
  });

  it('has its domains looked up for its team, as a list and some at a time', async () => {
    const { liveKey, team } = await app.anAccount();
    const engine = app.service.app.get(Engine);
    const lookUp = engine.lookUp.bind(engine);
    const requesters = new Set<string>();
    let running = 0;
    let most = 0;
    engine.lookUp = async (domain, requester, signal) => {
      requesters.add(`${requester.priority} ${requester.team}`);
      most = Math.max(most, ++running);
      return lookUp(domain, requester, signal).finally(() => running--);
    };
    const emails = Array.from({ length: 200 }, (_, n) => `jane@domain${n}.mailworld`);
    const { id } = await held(liveKey, emails);
    await previewOn(app);
    engine.lookUp = lookUp;
    expect([...requesters]).toEqual([`list ${team.id}`]);
    expect(most).toBeLessThanOrEqual(32);
    expect((await jobOf(app, liveKey, id)).preview).toMatchObject({ dead_domains: 200, providers: [] });
  });

  it('has warnings with their line', async () => {
    const { liveKey } = await app.anAccount('starter');
    const csv = [
      'name;email',
      'A;jane@plain.mailworld',
      'B;a@plain.mailworld / b@plain.mailworld',
      '',
      'C;Jane <jane@plain.mailworld>',
      'name;email',
      'D;"x@plain.mailworld|Berlin"',
      'E;nothing',
      'F;',
    ].join('\n');
    const answer = await sendList(app, liveKey, csv, 'text/csv', { query: '?hold=true' });
    expect(answer.status).toBe(202);
    await previewOn(app);
    const { preview } = await jobOf(app, liveKey, (answer.body as { id: string }).id);
    expect(preview?.warnings.map(({ code, line }) => [code, line])).toEqual([
      ['wrong_delimiter', 7],
      ['repeated_header', 6],
      ['several_addresses', 3],
      ['wrapped', 5],
      ['not_an_address', 8],
      ['empty_rows', 9],
    ]);
  });

  it('of a test key is previewed without the DNS and costs nothing', async () => {
    const { testKey } = await app.anAccount('starter');
    const queries = dns.questions.length;
    const { id } = await held(testKey, ['jane@plain.mailworld', 'x@mailinator.com']);
    await previewOn(app);
    expect((await jobOf(app, testKey, id)).preview).toMatchObject({
      unique: 2,
      disposable: 1,
      max_charge: 0,
    });
    expect(dns.questions).toHaveLength(queries);
    expect((await app.post(`/v1/bulk-jobs/${id}/start`, testKey)).status).toBe(200);
    await verifyOn(app);
    expect((await jobOf(app, testKey, id)).status).toBe('completed');
  });
});
