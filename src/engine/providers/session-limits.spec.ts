import { describe, expect, it } from '@jest/globals';
import { Providers, type ProviderChange } from './session-limits.js';

const registrableOf = (host: string) => host.split('.').slice(-2).join('.');
const withChanges = (changes: Record<string, ProviderChange> = {}) =>
  new Providers({ connectionsPerHost: 4, registrableOf, changes: new Map(Object.entries(changes)) });

describe('providers', () => {
  it.each([
    ['ASPMX.L.GOOGLE.COM.', 'google', 5],
    ['contoso-com.mail.protection.outlook.com', 'microsoft', 5],
    ['smtp-in.orange.fr', 'orange', 2],
  ])('have the limits of the table: %s', (host, name, connections) => {
    expect(withChanges().of(host)).toMatchObject({ name, connections, isUnknown: false });
    expect(withChanges().of(host).connectionsPerHost).toBeLessThanOrEqual(connections);
  });

  it('are the registrable domain of a host that is not in the table, with twice the sessions of an address', () => {
    expect(withChanges().of('mx3.mail.hoster.example')).toEqual({
      name: 'hoster.example',
      isUnknown: true,
      connections: 8,
      connectionsPerHost: 4,
      recipientsPerConnection: null,
    });
  });

  it('are changed one member at a time, and added by the patterns of their hosts', () => {
    const providers = withChanges({
      google: { connections: 20, connectionsPerHost: 10 },
      ours: { connections: 1, mx: ['mx*.Ours.example', '**.in.ours.example'] },
      'hoster.example': { connections: 3 },
    });
    expect(providers.of('aspmx.l.google.com')).toMatchObject({
      connections: 20,
      connectionsPerHost: 10,
      recipientsPerConnection: 50,
    });
    for (const host of ['mx7.ours.example', 'a.b.in.ours.example'])
      expect(providers.of(host)).toMatchObject({
        name: 'ours',
        connections: 1,
        connectionsPerHost: 1,
      });
    expect(providers.nameOf('www.ours.example')).toBe('ours.example');
    expect(providers.of('mx.hoster.example')).toMatchObject({ connections: 3, isUnknown: false });
    expect(
      ['google', 'ours', 'hoster.example', 'other.example'].map((name) => providers.isKnown(name)),
    ).toEqual([true, true, true, false]);
  });

  it('accept every recipient by the table, or as the operator says', () => {
    const yahoo = 'mta5.am0.yahoodns.net';
    expect(withChanges().acceptsAll(yahoo)).toBe(true);
    expect(withChanges({ yahoo: { connections: 1 } }).acceptsAll(yahoo)).toBe(true);
    expect(withChanges({ yahoo: { acceptsAll: false } }).acceptsAll(yahoo)).toBe(false);
    const providers = withChanges({
      'hoster.example': { acceptsAll: true },
      ours: { acceptsAll: true, mx: ['mx*.ours.example'] },
    });
    expect(providers.of('mx.hoster.example')).not.toHaveProperty('acceptsAll');
    const hosts = ['MX.hoster.example.', 'mx1.ours.example', 'www.ours.example', 'aspmx.l.google.com'];
    expect(hosts.map((host) => providers.acceptsAll(host))).toEqual([true, true, false, false]);
  });
});
