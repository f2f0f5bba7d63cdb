import { describe, expect, it } from '@jest/globals';
import { addressInCell } from './addresses-in-text.js';
import { leastMs } from '../../../test/support/time/least-ms.js';

describe('the address of a cell', () => {
  it.each([
    ['Jane Doe <jane@example.com>', 'jane@example.com', 1],
    ['"Doe, Jane" <jane@example.com>', 'jane@example.com', 1],
    ['<jane@example.com>', 'jane@example.com', 1],
    ['mailto:jane@example.com?subject=x', 'jane@example.com', 1],
    ["'jane@example.com'", 'jane@example.com', 1],
    ['jane@example.com (work)', 'jane@example.com', 1],
    ['a@example.com ::: b@example.com', 'a@example.com', 2],
    ['a@example.com; b@example.com, c@example.com', 'a@example.com', 3],
    ['a@example.com ::: A@example.com', 'a@example.com', 1],
  ])('is the first one of several or of a text: %s', (cell, address, found) => {
    expect(addressInCell(cell)).toEqual({ address, found });
  });

  it.each([
    'jane@example.com',
    ' jane@example.com ',
    '"jane doe"@example.com',
    '"<jane@example.com>"@example.org',
    "o'brien&co@example.com",
    '*jane@example.com',
    'jane doe@example.com',
    'jane@@example.com',
    'jane,joe@example.com',
    'no address',
    '',
  ])('is the whole cell, right or wrong: %j', (cell) => {
    expect(addressInCell(cell)).toEqual({ address: cell, found: 0 });
  });

  it('is without the apostrophe by which a spreadsheet marks a text', () => {
    expect(addressInCell("'jane@example.com")).toEqual({ address: 'jane@example.com', found: 0 });
  });

  it('is found in a long text in linear time', () => {
    const texts = [
      '<'.repeat(100_000),
      '"'.repeat(100_000),
      `"${'\\'.repeat(100_000)}@`,
      'a@'.repeat(50_000),
    ];
    const reading = () => texts.forEach((text) => addressInCell(`${text}@`));
    expect(leastMs(500, reading)).toBeLessThan(500);
  });
});
