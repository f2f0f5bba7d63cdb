import type { AST } from '@eslint-community/regexpp';
import { syntaxOf } from './regexp-steps.js';

/** Beyond these a run is long enough to show what each more costs. */
const REPEATS = [1, 2, 9, 64];
/** No pattern ends with it, so that what stands before is tried in every way. */
const TAILS = ['\u0001', ''];
/** Characters that classes are made of, in this order. */
const CANDIDATES = [...'a-._ 1<>@:;,"\\/\r\n\té\u0001'];

/**
 * Texts of a length that make a pattern try as much as it can: before each part that repeats stands what
 * leads to it, and what leads to it, the repeated part, or both fill the text. At its end the match fails.
 */
export function hostileTexts(pattern: RegExp, length: number): string[] {
  const sample = new Sampler(pattern.flags.replace(/[gym]/g, ''));
  const texts = new Set<string>();
  const add = (unit: string, head = '') => {
    if (unit === '') return;
    for (const tail of TAILS) {
      const filled = head + unit.repeat(Math.ceil(length / unit.length));
      texts.add(filled.slice(0, length - tail.length) + tail);
    }
  };
  for (const alternative of alternativesIn(syntaxOf(pattern))) {
    for (let choice = 0; choice < 3; choice++) {
      const before = sample.before(alternative, choice);
      const whole = sample.elements(alternative.elements, choice);
      for (const unit of [whole, whole.slice(0, -1)]) {
        add(before + unit);
        add(`${before}${unit} `);
        add(unit, before);
      }
      for (const element of alternative.elements) {
        if (element.type !== 'Quantifier' || element.max < 2) continue;
        const head = sample.before(element, choice);
        const body = sample.element(element.element, choice);
        const mixed = [0, 1, 2].map((each) => sample.element(element.element, each)).join('');
        for (const unit of [body, mixed]) {
          add(unit);
          add(unit, head);
          for (const times of REPEATS) add(head + unit.repeat(Math.min(times, element.max)));
        }
      }
    }
  }
  return [...texts];
}

function* alternativesIn({ alternatives }: { alternatives: AST.Alternative[] }): Generator<AST.Alternative> {
  for (const alternative of alternatives) {
    yield alternative;
    for (const element of alternative.elements) yield* alternativesBelow(element);
  }
}

function* alternativesBelow(element: AST.Element): Generator<AST.Alternative> {
  if (element.type === 'Quantifier') yield* alternativesBelow(element.element);
  else if ('alternatives' in element) yield* alternativesIn(element);
}

/** Makes texts that parts of a pattern match; `choice` picks among alternatives. */
class Sampler {
  private readonly characters = new Map<string, string[]>();

  constructor(private readonly flags: string) {}

  elements(elements: readonly AST.Element[], choice: number): string {
    return elements.map((element) => this.element(element, choice)).join('');
  }

  element(element: AST.Element, choice: number): string {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup': {
        const { alternatives } = element;
        return this.elements(alternatives[choice % alternatives.length]!.elements, choice);
      }
      case 'Quantifier':
        return this.element(element.element, choice).repeat(
          Math.min(element.max, Math.max(element.min, choice)),
        );
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.character(element.raw, choice);
      default:
        return '';
    }
  }

  /** What stands before a part on the way to it. */
  before(part: AST.Node, choice: number): string {
    const { parent } = part;
    if (parent === null) return '';
    if (parent.type !== 'Alternative') return this.before(parent, choice);
    const at = parent.elements.indexOf(part as AST.Element);
    return this.before(parent, choice) + this.elements(parent.elements.slice(0, at), choice);
  }

  /** One that it stands for; of a class, another one for another choice. */
  private character(raw: string, choice: number): string {
    let found = this.characters.get(raw);
    if (found === undefined) {
      const pattern = new RegExp(`^(?:${raw})$`, this.flags);
      const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
      const own = [...raw].filter((each) => each > '\x7f');
      found = [...new Set([...CANDIDATES, ...ascii, ...own])]
        .filter((each) => pattern.test(each))
        .slice(0, 3);
      this.characters.set(raw, found);
    }
    return found[choice % found.length] ?? '';
  }
}
