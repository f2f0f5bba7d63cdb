import { describe, expect, it } from '@jest/globals';
import { isNoReply, roleAccount } from './role-accounts.js';

describe('roleAccount', () => {
  it.each([
    ['postmaster', 'postmaster', 'built in: RFC 2142'],
    ['ABUSE', 'abuse', 'built in: RFC 2142'],
    ['it', 'it', 'built in: English'],
    ['customer-service', 'customer-service', 'built in: English'],
    ['Customer.Service', 'customer-service', 'built in: English'],
    ['customer_service', 'customer-service', 'built in: English'],
    ['customerservice', 'customer-service', 'built in: English'],
    ['Buchhaltung', 'buchhaltung', 'built in: German'],
    ['BÜRO', 'büro', 'built in: German'],
    ['comptabilité', 'comptabilité', 'built in: French'],
    ['ventas', 'ventas', 'built in: Spanish'],
    ['księgowość', 'księgowość', 'built in: Polish'],
  ])('%s is the role %s, with its source', (localPart, pattern, source) => {
    expect(roleAccount(localPart)).toEqual({ pattern, source });
  });

  it.each(['jane', 'jane.doe', 'h.r', 'i.t', 'p-r', 'information-desk-jane', 'salesman', 'adminton', ''])(
    '%j is a person, as far as known',
    (localPart) => {
      expect(roleAccount(localPart)).toBeNull();
    },
  );
});

describe('isNoReply', () => {
  it.each([
    'noreply',
    'no-reply',
    'No_Reply',
    'no.reply',
    'donotreply',
    'do-not-reply',
    'noreply2',
    'jira-noreply',
    'noreply-billing',
    'no_reply.accounts',
    'ne-pas-repondre',
    'naoresponder',
    'nichtantworten',
  ])('is true for %s', (localPart) => {
    expect(isNoReply(localPart)).toBe(true);
  });

  it.each(['reply', 'noreplyguy', 'piano-replay', 'casino-reply', 'jane', 'monoreply', ''])(
    'is false for %j',
    (localPart) => {
      expect(isNoReply(localPart)).toBe(false);
    },
  );
});
