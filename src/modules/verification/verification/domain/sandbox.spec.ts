import { describe, expect, it } from '@jest/globals';
import { anAddress } from '../../../../../test/support/verification/evidence.js';
import { REASONS, type Reason } from '../../../../kernel/verdict.js';
import { judge } from '../../../../engine/judge.js';
import type { DisposableOverride } from '../../../../engine/lists/domain-list.js';
import { evidenceFor, outcomeName, reasonFor, rulesFor } from './sandbox.js';

const reasonOf = (email: string) => reasonFor(anAddress(email));

describe('the outcome of a test key', () => {
  it.each<[string, Reason]>([
    ['mailbox_not_found@example.com', 'mailbox_not_found'],
    ['jane+catch_all@example.com', 'catch_all'],
    ['Jane+Catch_All@example.com', 'catch_all'],
    ['jane@example.com', 'accepted_email'],
    ['jane+news@example.com', 'accepted_email'],
    ['jane+@example.com', 'accepted_email'],
    ['catch_all+news@example.com', 'accepted_email'],
    ['toString@example.com', 'accepted_email'],
    ['typo@gmial.com', 'no_mail_server'],
    ['jane+typo@gmial.com', 'no_mail_server'],
    ['typo@gmail.com', 'accepted_email'],
    ['jane@gmial.com', 'accepted_email'],
    ['slow@example.com', 'accepted_email'],
  ])('%s', (email, reason) => {
    expect(reasonOf(email)).toBe(reason);
  });

  it.each([
    ['jane+slow@example.com', 'slow'],
    ['rate_limited@example.com', 'rate_limited'],
    ['jane+Quota_Exceeded@example.com', 'quota_exceeded'],
    ['upgrade_required@example.com', 'upgrade_required'],
  ])('%s has the name of an error or a delay', (email, name) => {
    expect(outcomeName(anAddress(email))).toBe(name);
  });
});

/** In a single call the name stands for the error. */
const NAMED = REASONS.filter((reason) => reason !== 'rate_limited');

describe.each(NAMED)('the reason %s', (reason) => {
  it.each([
    `${reason}@example.com`,
    `jane+${reason}@gmail.com`,
    `sales+${reason}@corp.test`,
    `jane+${reason}@throwaway.com`,
    `jane+${reason}@yahoo.com`,
  ])('is produced for %s, by judging evidence', (email) => {
    expect(reasonOf(email)).toBe(reason);
    const evidence = evidenceFor(reason, anAddress(email), null);
    for (const roleIsRisky of [false, true]) {
      // An accepted role address is risky by the rule of the team, in the sandbox too.
      const isRole = roleIsRisky && reason === 'accepted_email' && email.startsWith('sales');
      const rules = rulesFor(evidence, { roleIsRisky });
      expect(judge(evidence, rules).reason).toBe(isRole ? 'role' : reason);
    }
  });
});

it('a misspelled provider gets a suggestion, and the suggested address is deliverable', () => {
  const judged = (email: string) => {
    const evidence = evidenceFor(reasonOf(email), anAddress(email), null);
    const { status, didYouMean } = judge(evidence, { roleIsRisky: false });
    return [status, didYouMean];
  };
  expect(judged('typo@gmial.com')).toEqual(['undeliverable', 'typo@gmail.com']);
  expect(judged('typo@gmail.com')).toEqual(['deliverable', null]);
});

it('a list gets the reason rate_limited, because it cannot get the error', () => {
  const reason = reasonOf('rate_limited@example.com');
  const evidence = evidenceFor(reason, anAddress('rate_limited@example.com'), null);
  expect(judge(evidence, { roleIsRisky: false })).toMatchObject({
    status: 'unknown',
    reason: 'rate_limited',
  });
  expect(reasonOf('quota_exceeded@example.com')).toBe('accepted_email');
});

describe('the team’s override of the domain', () => {
  const judged = (email: string, override: DisposableOverride) => {
    const evidence = evidenceFor(reasonOf(email), anAddress(email), override);
    const { checks, smtp, reason: found } = judge(evidence, { roleIsRisky: false });
    return [found, checks.disposable, smtp === null];
  };

  it('takes precedence over the outcome, in both directions', () => {
    const disposable: DisposableOverride = { verdict: 'disposable', pattern: 'corp.test', source: 'team' };
    expect(judged('jane@corp.test', disposable)).toEqual(['disposable', true, true]);
    expect(judged('mailbox_not_found@corp.test', disposable)).toEqual(['disposable', true, true]);
    const not: DisposableOverride = { ...disposable, verdict: 'not_disposable' };
    expect(judged('disposable@corp.test', not)).toEqual(['accepted_email', false, false]);
  });

  it('is the team’s only: the operator’s does not affect the sandbox', () => {
    const operators: DisposableOverride = { verdict: 'disposable', pattern: 'corp.test', source: 'operator' };
    expect(judged('jane@corp.test', operators)).toEqual(['accepted_email', false, false]);
  });
});

it('a team’s rule applies except for the outcome role', () => {
  const rules = (reason: Reason, roleIsRisky: boolean) =>
    rulesFor(evidenceFor(reason, anAddress('sales@corp.test'), null), { roleIsRisky });
  expect(rules('accepted_email', false)).toEqual({ roleIsRisky: false });
  expect(rules('accepted_email', true)).toEqual({ roleIsRisky: true });
  expect(rules('role', false)).toEqual({ roleIsRisky: true });
});
