import { Providers, type ProviderChange } from '../../src/engine/providers/session-limits.js';
import { PERMIT_TIMES, type PermitTimes } from '../../src/engine/limits/permit-store.js';
import { randomFrom } from '../../test/support/processes/bulk-chaos.js';

/** Each trial has a provider of its own with servers at three addresses. */
export interface Trial {
  number: number;
  name: string;
  mxHost: string;
  ips: readonly string[];
  /** Sessions that its servers allow together. */
  total: number;
  /** The processes know the total; otherwise they learn it from rejections. */
  isKnown: boolean;
  /** Recipients that each process asks for. */
  recipients: number;
}

/** Shorter than those of the service, so that permits end within a trial. */
export const TIMES: PermitTimes = {
  ...PERMIT_TIMES,
  ttlMs: 6_000,
  renewalMs: 2_000,
  turnMs: 600,
  closingMs: 2_400,
};
/** For one reply. */
export const COMMAND_TIMEOUT_MS = 1_000;
export const CONNECTIONS_PER_ADDRESS = 4;
const MOST_RECIPIENTS = 60;

export function trialsOf(count: number, workers: number, seed: number): Trial[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, number) => {
    const name = `provider${number}`;
    const ips = [1, 2, 3].map((n) => `127.${2 + Math.floor(number / 80)}.${number % 80}.${n}`);
    const total = 1 + Math.floor(random() * 5);
    const recipients = Math.ceil((MOST_RECIPIENTS * (1 + random())) / 2 / workers);
    return { number, name, mxHost: `mx.${name}.test`, ips, total, isKnown: random() < 0.7, recipients };
  });
}

export function providersOf(trials: readonly Trial[]): Providers {
  const change = ({ mxHost, total }: Trial): ProviderChange => ({ mx: [mxHost], connections: total });
  const changes = new Map(
    trials.filter(({ isKnown }) => isKnown).map((trial) => [trial.name, change(trial)]),
  );
  return new Providers({
    connectionsPerHost: CONNECTIONS_PER_ADDRESS,
    registrableOf: (host) => host,
    changes,
  });
}
