import type { AST } from '@eslint-community/regexpp';
import { syntaxOf } from './regexp-steps.js';

/** Length of a repetition that is sufficient to measure growth. */
const REPEATS = [1, 2, 9, 64];
/** A character that makes every match fail, so that all alternatives are tried. */
const TAILS = ['\u0001', ''];
/** Candidate characters for character classes, in order. */
const CANDIDATES = [...'a-._ 1<>@:;,"\\/\r\n\té\u0001'];

/**
 * Texts that cause many backtracking steps. For each repetition the text contains a prefix that matches
 * up to it, and is filled with the prefix, the repeated part, or both. The match fails at its end.
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
        const mixed = [0, 1, 2].map((index) => sample.element(element.element, index)).join('');
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

/** Generates texts that match parts of a pattern; `choice` selects alternatives. */
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

  /** A text that matches everything before a part. */
  before(part: AST.Node, choice: number): string {
    const { parent } = part;
    if (parent === null) return '';
    if (parent.type !== 'Alternative') return this.before(parent, choice);
    const at = parent.elements.indexOf(part as AST.Element);
    return this.before(parent, choice) + this.elements(parent.elements.slice(0, at), choice);
  }

  /** A matching character; `choice` selects one of a class. */
  private character(raw: string, choice: number): string {
    let found = this.characters.get(raw);
    if (found === undefined) {
      const pattern = new RegExp(`^(?:${raw})$`, this.flags);
      const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
      const own = [...raw].filter((letter) => letter > '\x7f');
      found = [...new Set([...CANDIDATES, ...ascii, ...own])]
        .filter((text) => pattern.test(text))
        .slice(0, 3);
      this.characters.set(raw, found);
    }
    return found[choice % found.length] ?? '';
  }
}
