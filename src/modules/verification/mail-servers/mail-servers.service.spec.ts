import { describe, expect, it } from '@jest/globals';
import { AdjustableClock } from '../../../../test/support/time/adjustable-clock.js';
import type { ComposedEngine } from '../../../engine/compose.js';
import type { PermitStore, PermitUsage } from '../../../engine/limits/permit-store.js';
import { MailServersService } from './mail-servers.service.js';

const USAGE: PermitUsage = {
  egress: 'bind:192.0.2.1',
  provider: 'google',
  limit: 5,
  used: 5,
  waiting: 0,
  blockedBy: null,
};

interface Given {
  usage?: readonly PermitUsage[];
  isBroken?: boolean;
  openProviders?: readonly string[];
  used?: number;
}

/** One egress with the name `direct`, and a ceiling of ten probes at google. */
function given({ usage = [USAGE], isBroken = false, openProviders = [], used = 0 }: Given) {
  const outage = { isBroken, remainingMs: () => 0 };
  const egress = { key: 'bind:192.0.2.1', name: 'direct', outage, reach: { isClosed: false } };
  const composed = {
    egresses: { all: [egress] },
    providers: { isKnown: (name: string) => name === 'google' },
    breakers: {
      egressPauseMs: () => 0,
      openByProvider: () => openProviders.map((provider) => ({ of: 'provider', provider, count: 2 })),
    },
    warmup: { ceilings: () => [{ egress: egress.key, provider: 'google', ceiling: 10, used }] },
  };
  const store: Pick<PermitStore, 'listUsage'> = { listUsage: () => Promise.resolve([...usage]) };
  return new MailServersService(
    composed as unknown as ComposedEngine,
    store as PermitStore,
    new AdjustableClock(),
  ).state();
}

describe('the state of mail servers', () => {
  it('has the limit for which most requests of a provider wait', async () => {
    const waiting = { ...USAGE, waiting: 3, blockedBy: 'provider' as const };
    const { providers } = await given({
      usage: [{ ...waiting, waiting: 1, blockedBy: 'pause' }, waiting],
      openProviders: ['google'],
    });
    expect(providers).toMatchObject([
      { egress: 'direct', provider: 'google', waiting: 4, notDialled: 'provider' },
    ]);
  });

  it.each([
    ['nothing', {}, null],
    ['its breaker', { openProviders: ['google'], used: 10 }, 'breaker'],
    ['the breaker of another one', { openProviders: ['outlook'] }, null],
    ['the ceiling of the day', { used: 10 }, 'ceiling'],
  ] as const)('says that %s keeps us from a provider where nothing waits', async (_, state, reason) => {
    expect((await given(state)).providers).toMatchObject([{ notDialled: reason }]);
  });

  it('says why an egress is not used, before the limit of its connections', async () => {
    const usage = [{ ...USAGE, provider: '', waiting: 2, blockedBy: 'egress' as const }];
    expect((await given({ usage })).egresses).toMatchObject([{ name: 'direct', notDialled: 'egress' }]);
    expect((await given({ usage, isBroken: true })).egresses).toMatchObject([{ notDialled: 'unreachable' }]);
  });

  it('names no provider that is not in the table, and no address of an egress', async () => {
    const state = await given({
      usage: [{ ...USAGE, provider: 'customer.example', egress: 'bind:192.0.2.1' }],
    });
    expect(JSON.stringify(state)).not.toMatch(/customer|192\.0\.2/);
  });
});
