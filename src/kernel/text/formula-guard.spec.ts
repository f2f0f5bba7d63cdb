import { describe, expect, it } from '@jest/globals';
import { guardFormula } from './formula-guard.js';

describe('a CSV cell', () => {
  it.each([
    '=1+1',
    '@SUM(A1)',
    '=cmd|x',
    "+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    '-HYPERLINK("https://example.com")',
    '+A1',
    '+1+1',
    '-"x"',
    '+jane@example.com',
    '\t=1+1',
    '\r@SUM(A1)',
    '\n +A1',
    ' =1+1',
    '\u00a0=1+1',
    '＝1+1',
    '＠SUM(A1)',
    '＋A1',
    '－A1',
  ])('that a spreadsheet runs begins with an apostrophe: %j', (cell) => {
    expect(guardFormula(cell)).toBe(`'${cell}`);
  });

  it.each([
    '',
    '-',
    '+',
    '-5.20',
    '-5,20 €',
    '-$1,000.00',
    '+49 170 1234567',
    '+1 (202) 555-0100',
    '-12 %',
    '-1.5e-10',
    '+3E8',
    '\tx',
    '\r\n',
    ' jane',
    'a=1',
    'jane@example.com',
    "'=1+1",
    '12/11/2026',
  ])('that it does not run stays as it is: %j', (cell) => {
    expect(guardFormula(cell)).toBe(cell);
  });

  it.each([
    ['a;=1+1', "a;'=1+1"],
    ['a; =1+1;b', "a;' =1+1;b"],
    ['a;"=1+1', `a;'"=1+1`],
    ['=a;+b', "'=a;'+b"],
    ['a;b\t-c', "a;b\t'-c"],
    ['a;-5,20;+49 170', 'a;-5,20;+49 170'],
    ['a,=1+1', 'a,=1+1'],
  ])('%j is guarded behind the delimiters of other CSVs', (cell, guarded) => {
    expect(guardFormula(cell, [';', '\t'])).toBe(guarded);
  });
});
