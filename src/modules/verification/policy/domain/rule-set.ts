/** A set of rules by their positions, as bits: a step works on 32 rules at once. */
export class RuleSet {
  private readonly words: Int32Array;

  constructor(size: number) {
    this.words = new Int32Array(Math.ceil(size / 32));
  }

  static of(position: number, size: number): RuleSet {
    const only = new RuleSet(size);
    only.add(position);
    return only;
  }

  with(other: RuleSet): RuleSet {
    const both = new RuleSet(this.words.length * 32);
    both.copy(this);
    both.addAll(other);
    return both;
  }

  add(position: number): void {
    this.words[position >> 5]! |= 1 << (position & 31);
  }

  remove(position: number): void {
    this.words[position >> 5]! &= ~(1 << (position & 31));
  }

  copy(other: RuleSet): void {
    this.words.set(other.words);
  }

  addAll({ words }: RuleSet): void {
    for (let n = 0; n < words.length; n++) this.words[n]! |= words[n]!;
  }

  removeAll({ words }: RuleSet): void {
    for (let n = 0; n < words.length; n++) this.words[n]! &= ~words[n]!;
  }

  /** Removes those that are not in the other set. @returns whether any is left. */
  retain({ words }: RuleSet): boolean {
    let left = 0;
    for (let n = 0; n < words.length; n++) left |= this.words[n]! &= words[n]!;
    return left !== 0;
  }

  /** The first position from this one on; -1: there is none. */
  next(from: number): number {
    for (let n = from >> 5; n < this.words.length; n++) {
      const word = n === from >> 5 ? this.words[n]! & (-1 << (from & 31)) : this.words[n]!;
      if (word !== 0) return n * 32 + 31 - Math.clz32(word & -word);
    }
    return -1;
  }
}
