import { describe, expect, it } from '@jest/globals';
import { anAddress, ShortLists } from '../../../../test/support/evidence.js';
import { REASONS } from '../../../kernel/verdict.js';
import { judge } from './judge.js';
import type { DisposableOverride } from './disposable-domains.js';
import { evidenceFor, outcomeFor, rulesFor, type SandboxOutcome } from './sandbox.js';

const outcome = (email: string) => outcomeFor(anAddress(email));

describe('what a test key asks for', () => {
  it.each<[string, SandboxOutcome]>([
    ['mailbox_not_found@example.com', { kind: 'reason', reason: 'mailbox_not_found' }],
    ['jane+catch_all@example.com', { kind: 'reason', reason: 'catch_all' }],
    ['Jane+Catch_All@example.com', { kind: 'reason', reason: 'catch_all' }],
    ['jane@example.com', { kind: 'reason', reason: 'accepted_email' }],
    ['jane+news@example.com', { kind: 'reason', reason: 'accepted_email' }],
    ['jane+@example.com', { kind: 'reason', reason: 'accepted_email' }],
    ['catch_all+news@example.com', { kind: 'reason', reason: 'accepted_email' }],
    ['toString@example.com', { kind: 'reason', reason: 'accepted_email' }],
    ['slow@example.com', { kind: 'slow' }],
    ['jane+slow@example.com', { kind: 'slow' }],
    ['rate_limited@example.com', { kind: 'refusal', refusal: 'rate_limited' }],
    ['jane+quota_exceeded@example.com', { kind: 'refusal', refusal: 'quota_exceeded' }],
    ['upgrade_required@example.com', { kind: 'refusal', refusal: 'upgrade_required' }],
  ])('%s', (email, expected) => {
    expect(outcome(email)).toEqual(expected);
  });
});

describe.each(REASONS)('the reason %s', (reason) => {
  it.each([
    `${reason}@example.com`,
    `jane+${reason}@gmail.com`,
    `sales+${reason}@corp.test`,
    `jane+${reason}@throwaway.com`,
    `jane+${reason}@yahoo.com`,
  ])('is reached for %s, by judging evidence as ever', (email) => {
    expect(outcome(email)).toEqual({ kind: 'reason', reason });
    const evidence = evidenceFor(reason, anAddress(email), new ShortLists(), null);
    for (const roleIsRisky of [false, true]) {
      // A role that would be deliverable is risky to a team that says so, in the sandbox too.
      const isRole = roleIsRisky && reason === 'accepted_email' && email.startsWith('sales');
      const rules = rulesFor(reason, { roleIsRisky });
      expect(judge(evidence, rules).reason).toBe(isRole ? 'role' : reason);
    }
  });
});

describe('the team’s own word about the domain', () => {
  const reasonOf = (email: string, override: DisposableOverride) => {
    const { reason } = outcome(email) as SandboxOutcome & { kind: 'reason' };
    const evidence = evidenceFor(reason, anAddress(email), new ShortLists(), override);
    const { checks, smtp, reason: judged } = judge(evidence, { roleIsRisky: false });
    return [judged, checks.disposable, smtp === null];
  };

  it('goes before the name of the outcome, both ways', () => {
    const disposable: DisposableOverride = { verdict: 'disposable', pattern: 'corp.test', source: 'team' };
    expect(reasonOf('jane@corp.test', disposable)).toEqual(['disposable', true, true]);
    expect(reasonOf('mailbox_not_found@corp.test', disposable)).toEqual(['disposable', true, true]);
    const not: DisposableOverride = { ...disposable, verdict: 'not_disposable' };
    expect(reasonOf('disposable@corp.test', not)).toEqual(['accepted_email', false, false]);
  });

  it('is the team’s alone: the operator’s leaves the sandbox as it is', () => {
    const operators: DisposableOverride = { verdict: 'disposable', pattern: 'corp.test', source: 'operator' };
    expect(reasonOf('jane@corp.test', operators)).toEqual(['accepted_email', false, false]);
  });
});

it('a team’s rule stays as it is for all but who asks for a role', () => {
  expect(rulesFor('accepted_email', { roleIsRisky: false })).toEqual({ roleIsRisky: false });
  expect(rulesFor('accepted_email', { roleIsRisky: true })).toEqual({ roleIsRisky: true });
  expect(rulesFor('role', { roleIsRisky: false })).toEqual({ roleIsRisky: true });
});
