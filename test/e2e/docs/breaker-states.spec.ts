import { expect, it } from '@jest/globals';
import { Breakers } from '../../../src/engine/egress/breakers.js';
import { expectDrawn } from '../../support/docs/drawn-states.js';
import { answeredBy, asked, rejectedBy } from '../../support/verification/rejections.js';

const MINUTE_MS = 60_000;

it('the diagram of a circuit breaker has the changes that results make', async () => {
  const HOST = 'mx.example.test';
  const LONGEST_PAUSE_MS = 61 * MINUTE_MS;
  const seen = new Set<string>(['[*] --> closed']);
  const breakers = new Breakers((domain) => domain);
  const about = (n: number) => asked('team', `n${n}@example.test`);
  let nowMs = 0;
  let n = 0;
  let state = 'closed';
  const moveTo = (next: string) => {
    if (next !== state) seen.add(`${state} --> ${next}`);
    state = next;
  };
  const isOpen = () => !breakers.mayProbe(about(n), HOST, nowMs);
  const results = { rejected: rejectedBy(HOST, undefined, 'banner'), answered: answeredBy(HOST) };
  const record = (result: keyof typeof results) => {
    breakers.record(about(n++), results[result], nowMs);
    moveTo(isOpen() ? 'open' : 'closed');
  };
  /** Waits for the end of the pause, and makes a request: all others wait for its result. */
  const probe = () => {
    nowMs += LONGEST_PAUSE_MS;
    expect(isOpen()).toBe(false);
    breakers.onProbing(about(n), HOST, nowMs);
    moveTo(isOpen() ? 'half_open' : 'closed');
  };
  const reject = () => {
    for (let times = 0; times < 10 && state !== 'open'; times++) record('rejected');
    expect(state).toBe('open');
  };
  reject();
  probe();
  reject();
  record('answered');
  reject();
  probe();
  record('answered');
  await expectDrawn('A circuit breaker', [...seen]);
});
