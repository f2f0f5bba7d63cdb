import { describe, expect, it } from '@jest/globals';
import { whyNot, type ConnectionLimit } from './connection-limit.js';
import { NOT_DIALLED, sentenceOf } from './not-dialled.js';

describe('why no connection may be opened', () => {
  it.each<[string, ConnectionLimit[], string | null]>([
    ['there is no limit', [], null],
    [
      'every limit has room',
      [
        { name: 'provider', room: 1 },
        { name: 'egress', room: Infinity },
      ],
      null,
    ],
    [
      'one has none',
      [
        { name: 'address', room: 3 },
        { name: 'provider', room: 0 },
      ],
      'provider',
    ],
    [
      'one is exceeded most',
      [
        { name: 'provider', room: 0 },
        { name: 'processes', room: -2 },
      ],
      'processes',
    ],
    [
      'several have none: the first',
      [
        { name: 'pause', room: 0 },
        { name: 'address', room: 0 },
      ],
      'pause',
    ],
  ])('%s', (_, limits, expected) => {
    expect(whyNot(limits)).toBe(expected);
  });

  it('has a sentence for each limit', () => {
    for (const reason of NOT_DIALLED) expect(sentenceOf(reason)).toMatch(/^\w[^.]+\w$/);
  });
});
