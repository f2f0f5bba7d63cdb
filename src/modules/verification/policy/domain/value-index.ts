import { valuesOf } from './rule.js';
import { RuleSet } from './rule-set.js';

/** No name is longer (RFC 1035 §2.3.4). */
const MAX_NAME_LENGTH = 255;

/** The rules that name a value of one member. */
export class ValueIndex {
  /** Rules that accept every value. */
  private readonly unlimited: RuleSet;
  private readonly byValue = new Map<string, RuleSet>();
  /** By length, whether a value has it: most ends of a name are left out without a look-up. */
  private readonly lengths = new Uint8Array(MAX_NAME_LENGTH + 1);

  /** @param values of each rule, by its position; undefined: every value. */
  constructor(values: readonly (string | readonly string[] | undefined)[]) {
    const { length } = values;
    this.unlimited = new RuleSet(length);
    values.forEach((named, position) => {
      if (named === undefined) this.unlimited.add(position);
      // Most values stand in one rule: they share its set.
      const only = RuleSet.of(position, length);
      for (const value of valuesOf(named)) {
        const others = this.byValue.get(value);
        this.byValue.set(value, others === undefined ? only : others.with(only));
        this.lengths[Math.min(value.length, MAX_NAME_LENGTH)] = 1;
      }
    });
  }

  /** Whether any rule names a value. */
  get isUsed(): boolean {
    return this.byValue.size > 0;
  }

  /** Sets the rules that accept every value. */
  start(found: RuleSet): void {
    found.copy(this.unlimited);
  }

  /** Adds the rules that name this value. */
  addFor(value: string, found: RuleSet): void {
    const rules = this.byValue.get(value);
    if (rules !== undefined) found.addAll(rules);
  }

  /** Adds the rules that name this domain or one of its parents. @param domain A-label, lower case. */
  addForDomain(domain: string, found: RuleSet): void {
    for (let start = 0; ;) {
      const length = domain.length - start;
      if (this.lengths[length] === 1) this.addFor(domain.slice(start), found);
      const dot = domain.indexOf('.', start);
      if (dot === -1) return;
      start = dot + 1;
    }
  }
}
