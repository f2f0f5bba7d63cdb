import { expect, it } from '@jest/globals';
import { AdjustableClock } from '../../../test/support/time/adjustable-clock.js';
import { PrometheusMeter } from './prometheus-meter.js';

it('computes the text once for concurrent scrapes and those of the next second', async () => {
  const clock = new AdjustableClock();
  clock.stop();
  const meter = new PrometheusMeter(clock);
  let reads = 0;
  meter.gauge('rcpt_queue_active', () => [{ labels: ['a'], value: ++reads }]);
  const texts = await Promise.all(Array.from({ length: 20 }, () => meter.expose()));
  clock.advance(999);
  texts.push(await meter.expose());
  expect(new Set(texts).size).toBe(1);
  expect(reads).toBe(1);
  clock.advance(1);
  expect(String(await meter.expose())).toContain('rcpt_queue_active{queue="a"} 2');
});
