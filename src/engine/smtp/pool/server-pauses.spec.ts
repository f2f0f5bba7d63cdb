import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/time/fake-clock.js';
import { smtpReply } from '../../replies/smtp-reply.js';
import { ServerPauses, type SharedPause } from './server-pauses.js';
import { failedResult, type SmtpProbeResult } from '../protocol/smtp-probe-result.js';
import { SmtpFailure } from '../protocol/smtp-wire.js';

const BUSY: SmtpProbeResult = {
  mxHost: '',
  end: 'replied',
  stage: 'banner',
  reply: smtpReply(421, ['4.3.2 busy']),
  category: 'temporary',
  rule: null,
  tls: false,
  smtputf8: null,
  isFinal: false,
};
/** Above the longest pause with its jitter. */
const MAX_PAUSE_MS = 90_001;

let clock: FakeClock;
let shared: { pause: SharedPause; endMs: number }[];

beforeEach(() => {
  clock = new FakeClock();
  shared = [];
});

const server = () =>
  new ServerPauses(clock, (pause, ttlMs) => shared.push({ pause, endMs: clock.monotonicMs() + ttlMs }));

function rejectTimes(count: number, pauses: ServerPauses, result = BUSY): void {
  for (let n = 0; n < count; n += 1) {
    void clock.advance(MAX_PAUSE_MS);
    pauses.onRejected(result, false);
  }
}

/** As the store does: with the time that is left. */
function adopt(pauses: ServerPauses, { pause, endMs } = shared.at(-1)!): void {
  pauses.adopt(pause, endMs - clock.monotonicMs());
}

describe('the pause after a server rejected a connection', () => {
  it('is doubled each time, up to a minute with jitter, and begins anew after a greeting', () => {
    const pauses = server();
    const pauseMs = () => pauses.pausedUntilMs - clock.monotonicMs();
    for (const step of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      rejectTimes(1, pauses);
      expect(pauseMs()).toBeGreaterThanOrEqual(step / 2);
      expect(pauseMs()).toBeLessThan(1.5 * step);
    }
    pauses.onGreeted();
    expect(pauseMs()).toBeLessThan(0);
    rejectTimes(1, pauses);
    expect(pauseMs()).toBeLessThan(750);
  });

  it('lets requests wait for a while at a server that has greeted us, and answers them at others', () => {
    const [known, unknown] = [server(), server()];
    known.onGreeted();
    rejectTimes(1, unknown);
    expect(unknown.result).toBe(BUSY);
    for (const answer of [null, null, null, null, null, BUSY]) {
      rejectTimes(1, known);
      expect(known.result).toBe(answer);
    }
    void clock.advance(MAX_PAUSE_MS);
    expect(known.result).toBeNull();
  });

  it('is shared only if others can learn of it before it ends', () => {
    rejectTimes(20, server());
    expect(shared.length).toBeGreaterThanOrEqual(17);
    for (const { pause } of shared) expect(pause.lengthMs).toBeGreaterThanOrEqual(2_000);
  });

  it('is not shared if the server said nothing: the fault may be in the network of this process', () => {
    for (const kind of ['unreachable', 'timeout', 'lost'] as const)
      rejectTimes(10, server(), failedResult(new SmtpFailure(kind, 'connect', kind)));
    expect(shared).toEqual([]);
  });
});

describe('a pause that another process has shared', () => {
  it('holds for the time that is left of it', () => {
    rejectTimes(5, server());
    const other = server();
    void clock.advance(1_000);
    adopt(other);
    const leftMs = shared.at(-1)!.endMs - clock.monotonicMs();
    void clock.advance(leftMs - 1);
    expect(other.result).toMatchObject({ category: 'temporary', reply: { code: 421, text: '' } });
    void clock.advance(501);
    expect(other.result).toBeNull();
    expect(other.pausedUntilMs).toBeLessThanOrEqual(clock.monotonicMs());
  });

  it('is never longer than two minutes', () => {
    const other = server();
    other.adopt({ lengthMs: 1e9, nextMs: 1e9, result: null }, 1e9);
    expect(other.pausedUntilMs - clock.monotonicMs()).toBeLessThan(121_000);
    void clock.advance(121_000);
    other.onRejected(BUSY, false);
    expect(other.pausedUntilMs - clock.monotonicMs()).toBeLessThan(90_000);
  });

  it('applies only if the server has not greeted this process since', () => {
    const [earlier, later] = [server(), server()];
    earlier.onGreeted();
    rejectTimes(5, server());
    void clock.advance(500);
    later.onGreeted();
    void clock.advance(500);
    for (const pauses of [earlier, later]) adopt(pauses);
    expect(earlier.pausedUntilMs).toBeGreaterThan(clock.monotonicMs());
    expect(later.pausedUntilMs).toBe(-Infinity);
  });

  it('shortens no pause of this process', () => {
    const other = server();
    rejectTimes(9, other);
    const { pausedUntilMs } = other;
    other.adopt({ lengthMs: 4_000, nextMs: 8_000, result: null }, 4_000);
    expect(other.pausedUntilMs).toBe(pausedUntilMs);
    expect(other.result).toBe(BUSY);
  });

  it('is doubled once when the server rejects both processes after it', () => {
    const [one, other] = [server(), server()];
    rejectTimes(4, one);
    adopt(other);
    void clock.advance(6_500);
    for (const pauses of [one, other]) pauses.onRejected(BUSY, false);
    expect(shared.slice(-2).map(({ pause }) => pause.nextMs)).toEqual([16_000, 16_000]);
  });

  it('is not continued when the server was not contacted for a while after it', () => {
    const other = server();
    rejectTimes(4, server());
    adopt(other);
    rejectTimes(1, other);
    expect(other.pausedUntilMs - clock.monotonicMs()).toBeLessThan(750);
  });
});
