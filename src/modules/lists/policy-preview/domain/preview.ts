import type { PolicyDecision, Reason, Verdict } from '../../../../kernel/verdict.js';

/** A kind of change, without addresses. */
export interface Example {
  reason: Reason;
  domain: string | null;
  before: PolicyDecision;
  after: PolicyDecision;
  /** That decides afterwards; null: none. */
  rule: string | null;
  /** The newest list with such a verdict; null: single checks only. */
  jobId: string | null;
  /** Verdicts that change in this way. */
  count: number;
}

export interface Change {
  before: PolicyDecision;
  after: PolicyDecision;
  count: number;
}

/** A verdict with the rules of now, and with the others. */
interface Compared {
  jobId: string | null;
  before: Verdict['policy'];
  after: Verdict['policy'];
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
  private readonly changesBy = new Map<string, Change>();

  /** Of different changes. */
  get examples(): Example[] {
    return [...this.found.values()];
  }

  /** The most frequent first. */
  get changes(): Change[] {
    return [...this.changesBy.values()].sort((a, b) => b.count - a.count);
  }

  count({ reason, domain }: Verdict, { jobId, before, after }: Compared): void {
    this.verdicts++;
    this.before[before.decision]++;
    this.after[after.decision]++;
    if (before.decision === after.decision) return;
    this.changed++;
    const change = { before: before.decision, after: after.decision };
    add(this.changesBy, `${change.before} ${change.after}`, { ...change, count: 0 });
    const kind = { reason, domain, ...change, rule: after.rule };
    const key = JSON.stringify(kind);
    const known = this.found.get(key);
    if (known === undefined && this.found.size === MAX_EXAMPLES) return;
    add(this.found, key, { ...kind, jobId, count: 0 }).jobId ??= jobId;
  }
}

/** Counts one more. @param first the entry where there is none. */
function add<Entry extends { count: number }>(entries: Map<string, Entry>, key: string, first: Entry): Entry {
  const entry = entries.get(key) ?? first;
  entry.count++;
  entries.set(key, entry);
  return entry;
}
