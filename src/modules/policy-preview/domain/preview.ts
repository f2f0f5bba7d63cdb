import type { PolicyDecision, Reason, Verdict } from '../../../kernel/verdict.js';

/** Without the address. */
export interface Example {
  reason: Reason;
  domain: string | null;
  before: PolicyDecision;
  after: PolicyDecision;
  /** That decides afterwards; null: none. */
  rule: string | null;
}

type Decisions = Record<PolicyDecision, number>;

export const MAX_EXAMPLES = 20;

/** What rules would change in the decisions about verdicts. */
export class Preview {
  verdicts = 0;
  changed = 0;
  /** With the rules of now, and with the others. */
  readonly before: Decisions = { accept: 0, review: 0, reject: 0 };
  readonly after: Decisions = { accept: 0, review: 0, reject: 0 };
  /** Every verdict was counted. */
  isComplete = true;
  private readonly found = new Map<string, Example>();

  /** Of different changes. */
  get examples(): Example[] {
    return [...this.found.values()];
  }

  count({ reason, domain }: Verdict, before: Verdict['policy'], after: Verdict['policy']): void {
    this.verdicts++;
    this.before[before.decision]++;
    this.after[after.decision]++;
    if (before.decision === after.decision) return;
    this.changed++;
    if (this.found.size === MAX_EXAMPLES) return;
    const example = { reason, domain, before: before.decision, after: after.decision, rule: after.rule };
    this.found.set(JSON.stringify(example), example);
  }
}
