import type { MxRecord, SmtpEvidence } from '../../../kernel/verdict.js';
import { BreakerStore, type ScopeName } from './breaker-store.js';
import type { EmailAddress } from './email-address.js';
import { providerOf } from './mail-exchange.js';
import type { ProbeOutcome, ServerEvidence } from './mailbox-prober.js';
import { subjectOf } from './refusal-subject.js';
import { BREAKER_KINDS, type BreakerKind, type Scope } from './scope.js';

/** One question to mail servers. */
export interface Question {
  address: Pick<EmailAddress, 'key' | 'domain'>;
  /** Whose question it is. */
  team: string;
  /** The way out that it takes: what is learned of one says nothing about another. */
  egress?: string;
}

const DIRECT = 'direct';

/** The evidence of who is not asked because of earlier refusals: what others were told stays theirs. */
export const EARLIER_REFUSAL: SmtpEvidence = {
  stage: null,
  code: null,
  enhancedCode: null,
  category: 'sender_blocked',
  mxHost: null,
  attempts: 0,
  tls: null,
  text: null,
};

/**
 * Who has refused us, and is left alone for a while.
 *
 * Each team has breakers of its own, opened by what its own questions met. What others met only lowers
 * how many refusals of its own a team needs, and at a provider it is needed too: so nobody who runs a
 * domain, a mail server or many accounts can keep a team from asking where it was not itself refused.
 * Answers count against refusals, and end everybody's pause in their scope.
 */
export class Breakers {
  private readonly store = new BreakerStore();

  /** @param registrableOf the part of a domain that somebody registered: subdomains of one are not unrelated. */
  constructor(private readonly registrableOf: (domain: string) => string) {}

  /** Whether any is open. */
  isAnyOpen(nowMs: number): boolean {
    for (const _ of this.store.open(nowMs)) return true;
    return false;
  }

  /** How many domains, hosts and providers have one that is open, for one team at least. */
  open(nowMs: number): { of: BreakerKind; count: number }[] {
    const open = [...this.store.open(nowMs)];
    return BREAKER_KINDS.map((of) => ({ of, count: open.filter(({ kind }) => kind === of).length }));
  }

  /** The hosts that may be asked now; none: EARLIER_REFUSAL. Where a pause is over, this question is the trial. */
  hostsToAsk(question: Question, hosts: readonly MxRecord[], nowMs: number): readonly MxRecord[] {
    const { team, address } = question;
    const isOpen = (scope: Scope) => scope.isOpenFor(team, nowMs);
    const ofDomain = this.known(question, [['domain', address.domain]]);
    if (ofDomain.some(isOpen)) return [];
    const open = hosts
      .map((record) => ({ record, scopes: this.known(question, scopesOfHost(record.host)) }))
      .filter(({ scopes }) => !scopes.some(isOpen));
    if (open.length === 0) return [];
    for (const scope of ofDomain) scope.ask(team, nowMs);
    for (const { scopes } of open) for (const scope of scopes) scope.ask(team, nowMs);
    return open.map(({ record }) => record);
  }

  /** What came of the question. */
  learn(question: Question, { end, evidence, refusals }: ProbeOutcome, nowMs: number): void {
    const reached = end === 'replied' && evidence?.stage === 'rcpt' ? evidence : null;
    if (reached !== null) this.reached(question, reached, nowMs);
    for (const refusal of onePerHost(refusals)) {
      // Another address of the same host let us in.
      if (refusal.stage !== 'rcpt' && refusal.mxHost === reached?.mxHost) continue;
      this.refusedAt(question, refusal, nowMs);
    }
  }

  /** A host that heard the recipient's name has let us in. Whether its domain and provider did, the reply says. */
  private reached(question: Question, { mxHost, category }: ServerEvidence, nowMs: number): void {
    const { key, domain } = question.address;
    this.answered(question, ['host', mxHost], key, nowMs);
    if (category === 'sender_blocked') return;
    this.answered(question, ['domain', domain], key, nowMs);
    const provider = providerOf(mxHost);
    if (provider !== null) this.answered(question, ['provider', provider], this.registrableOf(domain), nowMs);
  }

  private refusedAt(question: Question, refusal: ServerEvidence, nowMs: number): void {
    const { key, domain } = question.address;
    const subject = subjectOf(refusal);
    const isOfUs = subject === 'us';
    // Before RCPT it did not know yet whom we ask about: that refusal meets every team.
    if (refusal.stage !== 'rcpt') this.refused(question, ['host', refusal.mxHost], key, true, nowMs);
    else if (subject !== 'recipient') this.refused(question, ['domain', domain], key, isOfUs, nowMs);
    const provider = providerOf(refusal.mxHost);
    if (provider === null || !isOfUs) return;
    this.refused(question, ['provider', provider], this.registrableOf(domain), true, nowMs);
  }

  private answered(question: Question, name: KindAndName, subject: string, nowMs: number): void {
    const scope = this.store.use(nameOf(question, name), question.team, nowMs);
    scope.answered(question.team, subject, nowMs);
    this.store.changed(scope);
  }

  private refused(
    question: Question,
    name: KindAndName,
    subject: string,
    isOfUs: boolean,
    nowMs: number,
  ): void {
    const scope = this.store.use(nameOf(question, name), question.team, nowMs);
    scope.refused(question.team, subject, isOfUs, nowMs);
    this.store.changed(scope);
  }

  private known(question: Question, names: readonly KindAndName[]): Scope[] {
    const found = names.map((name) => this.store.find(nameOf(question, name)));
    return found.filter((scope) => scope !== undefined);
  }
}

type KindAndName = readonly [BreakerKind, string];

function nameOf({ egress = DIRECT }: Question, [kind, name]: KindAndName): ScopeName {
  return { egress, kind, name };
}

/** By the name that was dialled: whoever owns it decides where it leads, and what is met there stays with it. */
function scopesOfHost(mxHost: string): readonly KindAndName[] {
  const provider = providerOf(mxHost);
  const ofProvider: readonly KindAndName[] = provider === null ? [] : [['provider', provider]];
  return [['host', mxHost], ...ofProvider];
}

/** Several addresses of one host are one server, which refuses once. */
function onePerHost(refusals: readonly ServerEvidence[]): Iterable<ServerEvidence> {
  return new Map(refusals.map((refusal) => [refusal.mxHost, refusal])).values();
}
