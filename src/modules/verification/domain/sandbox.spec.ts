import { describe, expect, it } from '@jest/globals';
import { anAddress } from '../../../../test/support/verification/evidence.js';
import { REASONS } from '../../../kernel/verdict.js';
import { judge } from '../../../engine/judge.js';
import type { DisposableOverride } from '../../../engine/lists/domain-list.js';
import { evidenceFor, outcomeFor, reasonOf, rulesFor, type SandboxOutcome } from './sandbox.js';

const outcome = (email: string) => outcomeFor(anAddress(email));

describe('the outcome of a test key', () => {
  it.each<[string, SandboxOutcome]>([
    ['mailbox_not_found@example.com', { kind: 'reason', reason: 'mailbox_not_found' }],
    ['jane+catch_all@example.com', { kind: 'reason', reason: 'catch_all' }],
    ['Jane+Catch_All@example.com', { kind: 'reason', reason: 'catch_all' }],
    ['jane@example.com', { kind: 'reason', reason: 'accepted_email' }],
    ['jane+news@example.com', { kind: 'reason', reason: 'accepted_email' }],
    ['jane+@example.com', { kind: 'reason', reason: 'accepted_email' }],
    ['catch_all+news@example.com', { kind: 'reason', reason: 'accepted_email' }],
    ['toString@example.com', { kind: 'reason', reason: 'accepted_email' }],
    ['typo@gmial.com', { kind: 'reason', reason: 'no_mail_server' }],
    ['jane+typo@gmial.com', { kind: 'reason', reason: 'no_mail_server' }],
    ['typo@gmail.com', { kind: 'reason', reason: 'accepted_email' }],
    ['jane@gmial.com', { kind: 'reason', reason: 'accepted_email' }],
    ['slow@example.com', { kind: 'slow' }],
    ['jane+slow@example.com', { kind: 'slow' }],
    ['rate_limited@example.com', { kind: 'refusal', refusal: 'rate_limited' }],
    ['jane+quota_exceeded@example.com', { kind: 'refusal', refusal: 'quota_exceeded' }],
    ['upgrade_required@example.com', { kind: 'refusal', refusal: 'upgrade_required' }],
  ])('%s', (email, expected) => {
    expect(outcome(email)).toEqual(expected);
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
    expect(outcome(email)).toEqual({ kind: 'reason', reason });
    const evidence = evidenceFor(reason, anAddress(email), null);
    for (const roleIsRisky of [false, true]) {
      // An accepted role address is risky by the rule of the team, in the sandbox too.
      const isRole = roleIsRisky && reason === 'accepted_email' && email.startsWith('sales');
      const rules = rulesFor(reason, { roleIsRisky });
      expect(judge(evidence, rules).reason).toBe(isRole ? 'role' : reason);
    }
  });
});

it('a misspelled provider gets a suggestion, and the suggested address is deliverable', () => {
  const judged = (email: string) => {
    const evidence = evidenceFor(reasonOf(outcome(email)), anAddress(email), null);
    const { status, didYouMean } = judge(evidence, { roleIsRisky: false });
    return [status, didYouMean];
  };
  expect(judged('typo@gmial.com')).toEqual(['undeliverable', 'typo@gmail.com']);
  expect(judged('typo@gmail.com')).toEqual(['deliverable', null]);
});

it('a list gets the reason rate_limited, because it cannot get the error', () => {
  const reason = reasonOf(outcome('rate_limited@example.com'));
  const evidence = evidenceFor(reason, anAddress('rate_limited@example.com'), null);
  expect(judge(evidence, { roleIsRisky: false })).toMatchObject({
    status: 'unknown',
    reason: 'rate_limited',
  });
  expect(reasonOf(outcome('quota_exceeded@example.com'))).toBe('accepted_email');
});

describe('the team’s override of the domain', () => {
  const judged = (email: string, override: DisposableOverride) => {
    const { reason } = outcome(email) as SandboxOutcome & { kind: 'reason' };
    const evidence = evidenceFor(reason, anAddress(email), override);
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
  expect(rulesFor('accepted_email', { roleIsRisky: false })).toEqual({ roleIsRisky: false });
  expect(rulesFor('accepted_email', { roleIsRisky: true })).toEqual({ roleIsRisky: true });
  expect(rulesFor('role', { roleIsRisky: false })).toEqual({ roleIsRisky: true });
});
