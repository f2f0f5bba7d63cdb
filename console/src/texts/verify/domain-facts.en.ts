import type { Schemas } from '../../api/client';

type Domain = Schemas['Domain'];
type Member = Domain['errors'][number]['member'];
type RecordError = NonNullable<NonNullable<Domain['spf']>['error']>;
type SpfResult = NonNullable<NonNullable<Domain['spf']>['all']>;
type DmarcPolicy = NonNullable<NonNullable<Domain['dmarc']>['policy']>;

export const domainFactsEn = {
  domainFacts: {
    notIncluded: (tier: string) => `The tier “${tier}” has no facts about domains.`,
    seePlan: 'See the plan',
    names: {
      mail: 'Mail servers',
      catchAll: 'Catch-all',
      kind: 'Kind',
      suppressed: 'Your team',
      spf: 'SPF',
      dmarc: 'DMARC',
      mtaSts: 'MTA-STS',
    },
    catchAllUnknown: 'Not known: no verification by your team has shown it in the last day.',
    ofProvider: 'Known of the provider.',
    failed: 'The look-up has failed, see below.',
    catchAllYes: 'The domain accepts mail for every address.',
    catchAllNo: 'The domain rejects addresses that do not exist.',
    catchAllAge: (hours: number) =>
      hours === 0
        ? 'Seen less than an hour ago.'
        : hours === 1
          ? 'Seen an hour ago.'
          : `Seen ${hours} hours ago.`,
    disposable: 'Disposable mailboxes',
    privacyRelay: 'Privacy relay: forwards to another mailbox',
    free: 'Free mailbox provider',
    ordinary: 'Neither disposable, nor a privacy relay, nor a free provider.',
    suppressed: (by: string) => `Rejects every address of the domain (${by}).`,
    notSuppressed: 'Rejects no address because of its domain alone.',
    noRecord: 'No record.',
    fault: {
      several_records: 'There are several records, so that receivers use none.',
      too_long: 'The record is too long. It is shown in part.',
      invalid: 'Receivers cannot use the record: it is not valid.',
    } as Readonly<Record<RecordError, string>>,
    spfAll: {
      pass: 'Mail from every other server passes.',
      fail: 'Mail from every other server fails.',
      softfail: 'Mail from other servers is doubtful (softfail).',
      neutral: 'Nothing is said about other servers (neutral).',
    } as Readonly<Record<SpfResult, string>>,
    noAll: 'Nothing is said about other servers, unless an included record does.',
    dmarcPolicy: {
      none: 'Asks receivers to change nothing (none).',
      quarantine: 'Asks receivers to treat mail that fails as suspicious (quarantine).',
      reject: 'Asks receivers to reject mail that fails.',
    } as Readonly<Record<DmarcPolicy, string>>,
    testing: 'The owner asks that the policy is not applied yet.',
    foundAt: (domain: string) => `Published at ${domain}.`,
    notFetched: 'The policy itself is not fetched.',
    errors: 'What could not be looked up',
    members: { mx: 'Mail servers', spf: 'SPF', dmarc: 'DMARC', mta_sts: 'MTA-STS' } as Readonly<
      Record<Member, string>
    >,
    timeout: 'The time was over.',
    checked: (time: string) => `Looked up on ${time}.`,
  },
};
