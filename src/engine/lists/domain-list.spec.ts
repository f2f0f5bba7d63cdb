import { describe, expect, it } from '@jest/globals';
import {
  changeOf,
  ListRejected,
  parseList,
  publicName,
  rejectShrinkage,
  type DomainList,
} from './domain-list.js';

const aList = (...domains: string[]): DomainList => ({
  name: 'a list',
  licence: null,
  readAt: null,
  sha256: null,
  domains: new Set(domains),
});

describe('a list of domains', () => {
  it.each([
    ['a domain a line', 'a.test\nb.test\r\n\n'],
    ['comments', '# what it is\na.test # why\nb.test'],
    ['JSON', ' ["a.test", "b.test"]'],
    ['capitals and duplicates', 'A.test\nb.TEST\na.test'],
  ])('is parsed from %s', (_, text) => {
    expect(parseList('a list', text)).toEqual(new Set(['a.test', 'b.test']));
  });

  it('has its international names as A-labels', () => {
    expect(parseList('a list', 'münchen.test')).toEqual(new Set(['xn--mnchen-3ya.test']));
  });

  it('may contain 1 % invalid lines, which are skipped', () => {
    const domains = Array.from({ length: 200 }, (_, n) => `d${n}.test`);
    expect(parseList('a list', [...domains, '@', 'localhost'].join('\n')).size).toBe(200);
    expect(() => parseList('a list', [...domains, '@', 'x', 'y z'].join('\n'))).toThrow(ListRejected);
  });

  it.each([
    ['nothing', '', /contains no domain/],
    ['comments alone', '# nothing yet\n', /contains no domain/],
    ['a web page', '<!doctype html>\n<html>\n', /is a web page/],
    ['JSON that is not an array of strings', '[1, 2]', /not an array of domains/],
    ['half of a JSON array', '["a.test",', /begins like JSON/],
    ['addresses', 'jane@a.test\njohn@b.test', /is not a list of domains/],
  ])('is rejected when it is %s, with a reason', (_, text, reason) => {
    expect(() => parseList('a list', text)).toThrow(reason);
  });
});

describe('a change of lists', () => {
  it('contains added and removed domains, over all lists', () => {
    const change = changeOf(
      [aList('a.test', 'b.test'), aList('b.test')],
      [aList('b.test', 'c.test')],
      ['co.uk'],
    );
    expect(change).toEqual({
      before: 2,
      after: 2,
      added: ['c.test'],
      removed: ['a.test'],
      ignored: ['co.uk'],
    });
  });

  it('may remove a tenth of the domains, and not more', () => {
    const change = { added: [], removed: [], ignored: [], before: 1_000 };
    expect(() => rejectShrinkage({ ...change, after: 900 })).not.toThrow();
    expect(() => rejectShrinkage({ ...change, after: 899 })).toThrow(/from 1000 to 899/);
  });
});

describe('the name of a list in verdicts', () => {
  it.each([
    ['mailchecker 6.0.21', 'mailchecker 6.0.21'],
    ['/home/operator/lists/disposable.txt', 'disposable.txt'],
    ['https://lists.example/a.txt?token=secret#x', 'https://lists.example/a.txt'],
    ['https://user:secret@lists.example/a.txt', 'https://lists.example/a.txt'],
  ])('does not disclose the operator’s folders or secrets: %s is %s', (name, told) => {
    expect(publicName({ name })).toBe(told);
  });
});
