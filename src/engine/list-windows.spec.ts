import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { DnsRequester, ResolvedRoute } from './dns/mx-resolver.js';
import { ListWindows } from './list-windows.js';

const NEVER = new AbortController().signal;
const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
};

/** Domains `…@a.silent` have the server `mx.silent`; the provider is the last label. */
function windows() {
  const resolve = (domain: string): Promise<ResolvedRoute> =>
    domain === 'unresolved'
      ? new Promise(() => undefined)
      : Promise.resolve({
          route: { kind: 'hosts', implicit: false, hosts: [{ host: `mx.${domain}`, preference: 10 }] },
          ageSeconds: 0,
          cached: false,
        });
  return new ListWindows({ resolve }, (host) => host.slice(host.lastIndexOf('.') + 1));
}

describe('the windows of lists', () => {
  it('leave room for other providers and teams, whatever the order of the list', async () => {
    const all = windows();
    const started: string[] = [];
    const begin = (team: string, domain: string, ends: Promise<void>) =>
      all.run(domain, { team, priority: 'list' }, NEVER, () => {
        started.push(`${team} ${domain}`);
        return ends;
      });
    const never = new Promise<void>(() => undefined);
    for (let n = 0; n < 500; n++) void begin('a', `d${n}.silent`, never);
    void begin('a', 'unresolved', never);
    const others = [begin('a', 'd.other', Promise.resolve()), begin('b', 'd.silent', Promise.resolve())];
    await Promise.all(others);
    expect(started.filter((item) => item.startsWith('a d') && item.endsWith('silent'))).toHaveLength(40);
  });

  it('let a team begin at once, and then in turns, however many domains another one has', async () => {
    const all = windows();
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const begin = (team: string, domain: string) =>
      void all.run(domain, { team, priority: 'list' }, NEVER, () => {
        started.push(team);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const count = (team: string) => started.filter((one) => one === team).length;
    for (let n = 0; n < 12_000; n++) begin('a', `d.of${n}`);
    await settled();
    expect(count('a')).toBe(3_600);
    for (let n = 0; n < 12_000; n++) begin('b', `d.other${n}`);
    await settled();
    expect([count('a'), count('b')]).toEqual([3_600, 40]);
    for (const end of ends.splice(0, 1_000)) end();
    await settled();
    expect(count('b') - 40).toBeGreaterThan(400);
  });

  it('share the turns of a team between its providers', async () => {
    const all = windows();
    const started = new Map<string, number>();
    const begin = (domain: string) =>
      void all.run(domain, { team: 'a', priority: 'list' }, NEVER, () => {
        started.set(domain, (started.get(domain) ?? 0) + 1);
        return new Promise<void>(() => undefined);
      });
    for (let provider = 0; provider < 50; provider++) for (let n = 0; n < 200; n++) begin(`d.p${provider}`);
    await settled();
    expect([started.size, Math.max(...started.values())]).toEqual([50, 40]);
  });

  it('start the next address of a provider when one ends', async () => {
    const all = windows();
    const ends: (() => void)[] = [];
    const begin = () =>
      all.run('d.slow', { team: 'a', priority: 'list' }, NEVER, () => {
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    for (let n = 0; n < 50; n++) void begin();
    await settled();
    expect(ends).toHaveLength(40);
    ends[7]?.();
    await settled();
    expect(ends).toHaveLength(41);
  });

  it('pass on the mail hosts that they looked up, and no failure of the name servers', async () => {
    const requester = { team: 'a', priority: 'list' } as const;
    const found = async (requesterOfWork: DnsRequester) => requesterOfWork.route?.route;
    expect(await windows().run('d.x', requester, NEVER, found)).toMatchObject({
      hosts: [{ host: 'mx.d.x' }],
    });
    const failed: ResolvedRoute = { route: { kind: 'dns_error' }, ageSeconds: 0, cached: false };
    const all = new ListWindows({ resolve: () => Promise.resolve(failed) }, (host) => host);
    expect(await all.run('d.x', requester, NEVER, found)).toBeUndefined();
  });

  it('start nothing after the signal has aborted', async () => {
    const all = windows();
    const ending = new AbortController();
    const ended = all.run('d.x', { team: 'a', priority: 'list' }, ending.signal, () => Promise.resolve(1));
    ending.abort();
    expect(await ended).toBeNull();
  });
});
