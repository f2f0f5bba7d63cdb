import { describe, expect, it } from '@jest/globals';
import { databaseTarget, parseDatabaseUrl } from './database-url.js';

describe('DATABASE_URL', () => {
  it.each([
    ['postgresql://rcpt:p%40s%2Fs%25@db.example/rcpt?sslmode=require', 'db.example:5432'],
    ['postgres://rcpt:p@ss@[2001:db8::1]:5433/rcpt', '[2001:db8::1]:5433'],
    ['postgresql:///rcpt', 'localhost:5432'],
    ['postgresql:///rcpt?host=/run/postgresql', '/run/postgresql'],
    ['postgresql://rcpt:ss@/rcpt?host=db.example&port=5434', 'db.example:5434'],
    ['postgresql://%2Frun%2Fpostgresql/rcpt', '/run/postgresql'],
  ])('%s is accepted, and leads to %s', (url, target) => {
    expect(databaseTarget(parseDatabaseUrl(url))).toBe(target);
  });

  it.each(['mysql://db.example/rcpt', 'db.example', 'postgresql:db.example'])(
    '%s is refused with an example',
    (url) => {
      expect(() => parseDatabaseUrl(url)).toThrow(/^must be a URL such as postgresql:\/\/\S+$/);
    },
  );

  // Otherwise the parts of the password would be the host and the database in messages.
  it.each([
    'postgresql://rcpt:ss/x@db.example/rcpt',
    'postgresql://rcpt:p@ss/x@db.example/rcpt',
    'postgresql://rcpt:12/x@db.example/rcpt',
    'postgresql://rcpt:12?x@db.example/rcpt',
    'postgresql://rcpt:12#x@db.example/rcpt',
    'postgresql://rcpt:100%sure@db.example/rcpt',
    'postgresql://rcpt@db.example:port/rcpt',
  ])('%s is refused with the encoding of special characters in a password', (url) => {
    expect(() => parseDatabaseUrl(url)).toThrow(
      'Write @ and / in a password as %40 and %2F, and %, ? and # as %25, %3F and %23.',
    );
  });
});
