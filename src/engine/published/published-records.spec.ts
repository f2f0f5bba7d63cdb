import { describe, expect, it } from '@jest/globals';
import { mtaStsOf, spfOf } from './published-records.js';

describe('records that a domain publishes', () => {
  it.each([
    ['v=spf1 -all', 'fail'],
    ['v=spf1 include:_spf.example.net ~all', 'softfail'],
    ['V=SPF1 ip4:192.0.2.0/24 ?ALL', 'neutral'],
    ['v=spf1 +all', 'pass'],
    ['v=spf1 mx all exp=explain.example.com', 'pass'],
    ['v=spf1 redirect=_spf.example.net', null],
    ['v=spf1', null],
    ['v=spf1 include:allmail.example', null],
  ])('reads %s', (record, all) => {
    expect(spfOf(['v=other', record])).toEqual({ record, error: null, all });
  });

  it('has no SPF record without the exact version, or with several', () => {
    expect(spfOf(['v=spf10 -all', 'v=spf2.0/pra -all'])).toEqual({ record: null, error: null, all: null });
    const several = { record: null, error: 'several_records', all: null };
    expect(spfOf(['v=spf1 -all', 'v=spf1 ~all'])).toEqual(several);
  });

  it('says that a record was cut', () => {
    expect(spfOf([`v=spf1 ${'a '.repeat(2_000)}`.slice(0, 2_048)])).toMatchObject({ error: 'too_long' });
  });

  it('reads the id of MTA-STS, without which the record is invalid', () => {
    expect(mtaStsOf(['v=STSv1; id=20260101T000000;'])).toMatchObject({ error: null, id: '20260101T000000' });
    expect(mtaStsOf(['v=STSv1; id=not-one'])).toMatchObject({ error: 'invalid', id: null });
    expect(mtaStsOf(['v=STSv2; id=1'])).toEqual({ record: null, error: null, id: null });
  });
});
