import { describe, expect, it } from '@jest/globals';
import { HandshakePace } from './handshake-pace.js';

describe('HandshakePace', () => {
  it('lets 20 handshakes begin at once, and 20 a second from then on', () => {
    const pace = new HandshakePace();
    const waits = Array.from({ length: 60 }, () => pace.consume(5_000));
    expect(waits.slice(0, 20)).toEqual(Array<number>(20).fill(0));
    expect(waits[20]).toBe(50);
    expect(waits[59]).toBe(2_000);
    expect(pace.consume(8_000)).toBe(0);
  });
});
