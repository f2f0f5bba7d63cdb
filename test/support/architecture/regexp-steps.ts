import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** The limit of steps was exceeded. */
export class TooManySteps extends Error {}

/** Continues a match at a position. */
type Next = (at: number) => boolean;
type Matcher = (at: number, next: Next) => boolean;

const PARSER = new RegExpParser();

/** The syntax tree of a pattern. */
export function syntaxOf(pattern: RegExp): AST.Pattern {
  const { unicode } = pattern;
  return PARSER.parsePattern(pattern.source, undefined, undefined, { unicode });
}

/**
 * Counts the steps of a backtracking matcher, like V8's engine without its optimizations. A test of growth
 * then needs no clock.
 */
export class StepCounter {
  private readonly matcher: Matcher;
  private text = '';
  private steps = 0;
  private limit = Infinity;

  constructor(private readonly pattern: RegExp) {
    this.matcher = this.alternatives(syntaxOf(pattern).alternatives, 1);
  }

  /**
   * The steps to find all matches with the flag `g`, otherwise the first match.
   *
   * @throws TooManySteps beyond `limit`.
   */
  count(text: string, limit = Infinity): number {
    Object.assign(this, { text, limit, steps: 0 });
    let from = 0;
    while (from <= text.length) {
      const found = this.search(from);
      if (found === null || !this.pattern.global) break;
      from = Math.max(found, from + 1);
    }
    return this.steps;
  }

  /** @returns the end of the first match at or after `from`. */
  private search(from: number): number | null {
    let end: number | null = null;
    for (let at = from; at <= this.text.length; at++) {
      if (this.matcher(at, (last) => ((end = last), true))) return end;
    }
    return null;
  }

  private step(): void {
    if (++this.steps > this.limit) throw new TooManySteps();
  }

  /** @param way 1 forwards; -1 backwards, in a lookbehind. */
  private alternatives(alternatives: readonly AST.Alternative[], way: 1 | -1): Matcher {
    const all = alternatives.map(({ elements }) => {
      const inOrder = way === 1 ? elements : elements.toReversed();
      return inOrder
        .map((element) => this.element(element, way))
        .reduceRight<Matcher>((rest, first) => (at, next) => first(at, (then) => rest(then, next)), goOn);
    });
    return (at, next) => all.some((one) => one(at, next));
  }

  private element(element: AST.Element, way: 1 | -1): Matcher {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.alternatives(element.alternatives, way);
      case 'Quantifier':
        return isOneCharacter(element.element) ? this.run(element, way) : this.repeated(element, way);
      case 'Assertion':
        return this.assertion(element);
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass': {
        const fits = this.character(element, way);
        return (at, next) => fits(at) && next(at + way);
      }
      default:
        throw new Error(`No steps are known for ${element.type} in ${this.pattern.source}`);
    }
  }

  private assertion(element: AST.Assertion): Matcher {
    if (element.kind === 'lookahead' || element.kind === 'lookbehind') {
      const inner = this.alternatives(element.alternatives, element.kind === 'lookahead' ? 1 : -1);
      return (at, next) => inner(at, () => true) !== element.negate && next(at);
    }
    const holds = new RegExp(element.raw, `${this.pattern.flags.replace(/[gy]/g, '')}y`);
    return (at, next) => {
      this.step();
      holds.lastIndex = at;
      return holds.test(this.text) && next(at);
    };
  }

  /** A greedy repetition of one character: as many as possible, then one less at a time. */
  private run({ element, min, max, greedy }: AST.Quantifier, way: 1 | -1): Matcher {
    if (!greedy) throw new Error('Lazy quantifiers are not counted');
    const fits = this.character(element, way);
    return (at, next) => {
      let count = 0;
      while (count < max && fits(at + way * count)) count++;
      for (; count >= min; count--) {
        this.step();
        if (next(at + way * count)) return true;
      }
      return false;
    };
  }

  private repeated({ element, min, max }: AST.Quantifier, way: 1 | -1): Matcher {
    const one = this.element(element, way);
    const from = (count: number): Matcher => {
      return (at, next) => {
        this.step();
        const more = count < max && one(at, (then) => then !== at && from(count + 1)(then, next));
        return more || (count >= min && next(at));
      };
    };
    return from(0);
  }

  /** Tests the character at (or in a lookbehind, before) a position. */
  private character({ raw }: AST.Element, way: 1 | -1): (at: number) => boolean {
    const one = new RegExp(`^(?:${raw})$`, this.pattern.flags.replace(/[gym]/g, ''));
    const known = new Map<string, boolean>();
    return (at) => {
      this.step();
      const character = this.text[way === 1 ? at : at - 1];
      if (character === undefined) return false;
      let fits = known.get(character);
      if (fits === undefined) known.set(character, (fits = one.test(character)));
      return fits;
    };
  }
}

const goOn: Matcher = (at, next) => next(at);

export function isOneCharacter(element: AST.Element): boolean {
  return ['Character', 'CharacterSet', 'CharacterClass'].includes(element.type);
}
