import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { ComposedEngine } from '../../../engine/compose.js';
import type { BreakerKind } from '../../../engine/egress/breaker-scope.js';
import { troubleOf, type EgressTrouble } from '../../../engine/egress/egress-trouble.js';
import type { NotDialled } from '../../../engine/limits/not-dialled.js';
import { PermitStore } from '../../../engine/limits/permit-store.js';
import {
  limitOf,
  sessionsOf,
  type ProviderSessions,
  type ProviderState,
} from '../../../engine/limits/provider-sessions.js';

export interface EgressState {
  name: string;
  trouble: EgressTrouble | null;
  /** Until every team uses it again; 0: it is not paused. */
  pauseSeconds: number;
  /** Daily ceilings of a new egress, and the probes of all processes as last seen by this one. */
  warmup: readonly { provider: string; ceiling: number; used: number }[];
}

/** Open circuit breakers of this process, by mail provider; null: another server, or not known. */
export interface OpenBreakers {
  scope: BreakerKind;
  provider: string | null;
  /** Open for at least one team. */
  open: number;
}

export interface MailServersState {
  egresses: (EgressState & { notDialled: NotDialled | null })[];
  providers: (ProviderState & { provider: string })[];
  breakers: OpenBreakers[];
}

/** What this process knows of mail servers and of the ways to them: for the metrics, the administration and the doctor. */
@Injectable()
export class MailServersService {
  /** Metrics that are read at the same time share one query. */
  private pending: Promise<ProviderSessions[]> | null = null;

  constructor(
    private readonly composed: ComposedEngine,
    @Inject(PermitStore) private readonly permits: PermitStore | null,
    private readonly clock: Clock,
  ) {}

  async state(): Promise<MailServersState> {
    const egresses = this.egresses();
    const breakers = this.breakers();
    const sessions = await this.sessions();
    const ofEgress = (name: string) =>
      sessions.find(({ egress, provider }) => egress === name && provider === null);
    return {
      breakers,
      egresses: egresses.map((egress) => ({
        ...egress,
        notDialled: reasonOf(egress, ofEgress(egress.name)),
      })),
      providers: sessions.flatMap((one) => {
        const { provider } = one;
        if (provider === null) return [];
        const warmup = egresses.find(({ name }) => name === one.egress)?.warmup ?? [];
        return [{ ...one, provider, notDialled: limitOf(one) ?? refusalOf(provider, breakers, warmup) }];
      }),
    };
  }

  egresses(): EgressState[] {
    const { egresses, breakers, warmup } = this.composed;
    const nowMs = this.clock.monotonicMs();
    const ceilings = [...warmup.ceilings()];
    return egresses.all.map((egress) => ({
      name: egress.name,
      trouble: troubleOf(egress, breakers, nowMs),
      pauseSeconds:
        Math.max(egress.outage.remainingMs(nowMs), breakers.egressPauseMs(egress.key, nowMs)) / 1_000,
      warmup: ceilings
        .filter((ceiling) => ceiling.egress === egress.key)
        .map(({ provider, ceiling, used }) => ({ provider, ceiling, used })),
    }));
  }

  breakers(): OpenBreakers[] {
    const open = this.composed.breakers.openByProvider(this.clock.monotonicMs());
    return open.map(({ of, provider, count }) => ({ scope: of, provider, open: count }));
  }

  /** Of all processes. @throws when the database does not answer. */
  sessions(): Promise<ProviderSessions[]> {
    return (this.pending ??= this.readSessions().finally(() => (this.pending = null)));
  }

  private async readSessions(): Promise<ProviderSessions[]> {
    const usage = (await this.permits?.listUsage()) ?? [];
    const { egresses, providers } = this.composed;
    return sessionsOf(usage, {
      egressOf: (key) => egresses.all.find((egress) => egress.key === key)?.name ?? key,
      isKnown: (provider) => providers.isKnown(provider),
    });
  }
}

function reasonOf({ trouble }: EgressState, own: ProviderSessions | undefined): NotDialled | null {
  if (trouble !== null && trouble !== 'port_closed') return trouble;
  return own === undefined ? null : limitOf(own);
}

function refusalOf(
  provider: string,
  breakers: readonly OpenBreakers[],
  warmup: EgressState['warmup'],
): NotDialled | null {
  if (breakers.some((one) => one.provider === provider && one.scope === 'provider')) return 'breaker';
  const isUsed = warmup.some((one) => one.provider === provider && one.used >= one.ceiling);
  return isUsed ? 'ceiling' : null;
}
