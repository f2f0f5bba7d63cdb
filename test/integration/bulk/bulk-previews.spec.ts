import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Engine } from '../../../src/engine/engine.js';
import { PreviewRepository } from '../../../src/modules/lists/bulk/domain/preview.repository.js';
import { ListPreviewsService } from '../../../src/modules/lists/bulk/preview/list-previews.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aHeldJob, jobOf, previewOn, sendList, verifyOn } from '../../support/app/bulk.js';
import { rowsOf } from '../../support/app/joins.js';
import { DnsWorld } from '../../support/dns/dns-world.js';
import { expectProblem } from '../../support/http/problems.js';
import { leaseOf } from '../../support/queue/team-work.js';

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
    const first = await service.units.claim(team.id);
    expect(await service.units.claim(team.id)).toBeNull();
    // It ends after its first save: the lease expires.
    const stop = new AbortController();
    const repository = app.service.app.get(PreviewRepository);
    const save = repository.save.bind(repository);
    repository.save = async (preview) => {
      const isSaved = await save(preview);
      stop.abort();
      return isSaved;
    };
    await leaseOf(app, ListPreviewsService, first!).work(stop.signal);
    repository.save = save;
    const second = await service.units.claim(team.id);
    expect(second?.nextChunk).toBeGreaterThan(0);
    await leaseOf(app, ListPreviewsService, second!).work(new AbortController().signal);
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

  it('that is canceled while its domains are looked up ends the look-ups', async () => {
    const { liveKey, team } = await app.anAccount();
    const { id } = await held(liveKey, ['jane@silent.mailworld', 'joe@silent2.mailworld']);
    const engine = app.service.app.get(Engine);
    const lookUp = engine.lookUp.bind(engine);
    const began = new Promise<void>((begin) => {
      engine.lookUp = (_, __, signal) => {
        begin();
        return new Promise((__, reject) =>
          signal.addEventListener('abort', () => reject(new Error('ended'))),
        );
      };
    });
    const service = app.service.app.get(ListPreviewsService);
    const preview = await service.units.claim(team.id);
    const making = leaseOf(app, ListPreviewsService, preview!).work(new AbortController().signal);
    await began;
    await app.delete(`/v1/bulk-jobs/${id}`, liveKey);
    // Less than the minute that look-ups may take.
    await making;
    engine.lookUp = lookUp;
  }, 30_000);

  it('that is canceled is not read to its end, and none of its domains is looked up', async () => {
    const { liveKey, team } = await app.anAccount();
    const emails = Array.from({ length: 14_000 }, (_, n) => `person${n}@canceled${n % 2_800}.mailworld`);
    const { id } = await held(liveKey, emails);
    const repository = app.service.app.get(PreviewRepository);
    const save = repository.save.bind(repository);
    let saves = 0;
    repository.save = async (preview) => {
      if (++saves === 1) await app.post(`/v1/bulk-jobs/${id}/cancel`, liveKey);
      return save(preview);
    };
    const service = app.service.app.get(ListPreviewsService);
    await leaseOf(app, ListPreviewsService, (await service.units.claim(team.id))!).work(
      new AbortController().signal,
    );
    repository.save = save;
    expect(saves).toBe(1);
    expect(dns.questions.filter(({ name }) => name.startsWith('canceled'))).toEqual([]);
    expectProblem(await app.get(`/v1/bulk-jobs/${id}`, liveKey), 404, 'not_found');
  });

  it('with 2,000 domains whose name servers are silent delays no preview and no call of another team', async () => {
    const slow = await app.anAccount();
    const emails = Array.from({ length: 2_000 }, (_, n) => `jane@slow${n}.mailworld`);
    for (let n = 0; n < 2_000; n++) dns.set(`slow${n}.mailworld`, { behaviour: 'silent' });
    const asked = () =>
      new Set(dns.questions.map(({ name }) => name).filter((name) => name.startsWith('slow')));
    const { id: waiting } = await held(slow.liveKey, emails);
    const service = app.service.app.get(ListPreviewsService);
    const stop = new AbortController();
    const made = leaseOf(app, ListPreviewsService, (await service.units.claim(slow.team.id))!).work(
      stop.signal,
    );
    await dns.until(() => asked().size >= 32);

    const other = await app.anAccount();
    const { id } = await held(other.liveKey, ['jane@absent1.mailworld', 'jane@absent2.mailworld']);
    await previewOn(app);
    expect((await jobOf(app, other.liveKey, id)).preview).toMatchObject({ dead_domains: 2 });
    const call = await app.get('/v1/verify?email=jane@absent3.mailworld', other.liveKey);
    expect(call.body).toMatchObject({ status: 'undeliverable' });
    expect(asked().size).toBe(32);
    expect((await jobOf(app, slow.liveKey, waiting)).preview).toBeNull();
    stop.abort();
    await made;
    await app.delete(`/v1/bulk-jobs/${waiting}`, slow.liveKey);
  });

  it('has its preview after a minute without the domains whose name servers are silent', async () => {
    const { liveKey, team } = await app.anAccount();
    const mute = Array.from({ length: 200 }, (_, n) => `mute${n}.mailworld`);
    for (const name of mute) dns.set(name, { behaviour: 'silent' });
    const asked = () =>
      new Set(dns.questions.map(({ name }) => name).filter((name) => name.startsWith('mute')));
    const absent = ['jane', 'joe'].map((name) => `${name}@absent4.mailworld`);
    const { id } = await held(liveKey, [...mute.map((name) => `jane@${name}`), ...absent]);
    const service = app.service.app.get(ListPreviewsService);
    const pause = app.clock.pause.bind(app.clock);
    const minute = dns.until(() => asked().size >= 32);
    app.clock.pause = (ms, signal) => (ms === 60_000 ? minute : pause(ms, signal));
    // The domain with most addresses is looked up first, and answered.
    await leaseOf(app, ListPreviewsService, (await service.units.claim(team.id))!).work(
      new AbortController().signal,
    );
    app.clock.pause = pause;
    expect(asked().size).toBeLessThan(200);
    expect((await jobOf(app, liveKey, id)).preview).toMatchObject({ unique: 202, dead_domains: 1 });
  });

  it('has its preview after the database has failed, and none of its addresses is counted twice', async () => {
    const { liveKey, team } = await app.anAccount();
    const emails = Array.from({ length: 14_000 }, (_, n) => `person${n}@domain${n % 2_800}.invalid`);
    const { id } = await held(liveKey, emails);
    const repository = app.service.app.get(PreviewRepository);
    const save = repository.save.bind(repository);
    let saves = 0;
    repository.save = (preview) =>
      ++saves === 2 ? Promise.reject(new Error('the database is away')) : save(preview);
    const service = app.service.app.get(ListPreviewsService);
    const first = await service.units.claim(team.id);
    await expect(
      leaseOf(app, ListPreviewsService, first!).work(new AbortController().signal),
    ).rejects.toThrow('away');
    repository.save = save;
    // It waits some seconds until it is tried again.
    expect(await service.units.claim(team.id)).toBeNull();
    await rowsOf(app, 'UPDATE list_previews SET leased_until = now()');
    await previewOn(app);
    expect((await jobOf(app, liveKey, id)).preview).toMatchObject({ unique: 14_000, dead_domains: 2_000 });
    await app.delete(`/v1/bulk-jobs/${id}`, liveKey);
  });

  it('has warnings in the order of their lines', async () => {
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
      ['several_addresses', 3],
      ['wrapped', 5],
      ['repeated_header', 6],
      ['wrong_delimiter', 7],
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
