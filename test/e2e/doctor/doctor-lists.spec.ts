import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DoctorEnvironment } from '../../support/app/doctor.js';
import type { DnsName } from '../../support/dns/dns-zones.js';

const LISTED = '25.113.0.203.zen.spamhaus.org';
const LISTED_LESS = '25.113.0.203.bl.spamcop.net';

let world: DoctorEnvironment;
beforeEach(async () => {
  world = await DoctorEnvironment.start();
});
afterEach(() => world.stop());

/** The result of the check when one thing differs. */
interface Case {
  level: string;
  says: RegExp;
  zones: Record<string, DnsName | null>;
}

const CASES: Record<string, Case> = {
  'an address on Spamhaus ZEN': {
    level: 'fail',
    says: /is on zen\.spamhaus\.org \(127\.0\.0\.4\)/,
    zones: { [LISTED]: { a: ['127.0.0.4'] } },
  },
  'an address on a list that fewer use': {
    level: 'warn',
    says: /is on bl\.spamcop\.net/,
    zones: { [LISTED_LESS]: { a: ['127.0.0.2'] } },
  },
  'a list that does not serve this resolver': {
    level: 'skipped',
    says: /zen\.spamhaus\.org cannot be queried through this resolver/,
    zones: { [LISTED]: { a: ['127.255.255.254'] }, '2.0.0.127.zen.spamhaus.org': { a: ['127.255.255.254'] } },
  },
  'a list that is hidden by the resolver': {
    level: 'skipped',
    says: /cannot be queried.*its test entry is missing/,
    zones: { '2.0.0.127.zen.spamhaus.org': null },
  },
  'a list of domains that has the EHLO name': {
    level: 'fail',
    says: /verify\.example\.test is on dbl\.spamhaus\.org/,
    zones: { 'verify.example.test.dbl.spamhaus.org': { a: ['127.0.1.2'] } },
  },
  'a list of domains that answers yes to everything': {
    level: 'skipped',
    says: /dbl\.spamhaus\.org is not usable/,
    zones: {
      'verify.example.test.dbl.spamhaus.org': { a: ['127.0.1.2'] },
      'invalid.dbl.spamhaus.org': { a: ['127.0.1.2'] },
    },
  },
  'a list that fails': {
    level: 'skipped',
    says: /zen\.spamhaus\.org did not respond \(ESERVFAIL\)/,
    zones: { [LISTED]: { rcode: 'SERVFAIL' } },
  },
  'a list that answers yes to everything': {
    level: 'skipped',
    says: /bl\.spamcop\.net is not usable/,
    zones: { [LISTED_LESS]: { a: ['127.0.0.2'] }, '1.0.0.127.bl.spamcop.net': { a: ['127.0.0.2'] } },
  },
  'an entry that is no code of a list': {
    level: 'skipped',
    says: /zen\.spamhaus\.org is not usable/,
    zones: { [LISTED]: { a: ['192.0.2.80'] } },
  },
};

describe('the doctor’s check of DNS lists reports', () => {
  it.each(Object.entries(CASES))('%s', async (_, { level, says, zones }) => {
    for (const [name, records] of Object.entries(zones)) world.dns.set(name, records);
    expect((await world.examine()).dns_lists).toMatchObject({ level, found: expect.stringMatching(says) });
  });
});
