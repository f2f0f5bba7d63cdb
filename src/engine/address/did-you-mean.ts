import { freeProvider } from '../providers/free-providers.js';
import { words, wordsWithKey } from '../../kernel/text/words.js';
import { editDistance } from '../../kernel/text/edit-distance.js';

/** Common mail domains, most popular first: among equally close ones the first is chosen. */
export const TARGETS = words(`
  gmail.com yahoo.com hotmail.com outlook.com icloud.com live.com googlemail.com protonmail.com
  ymail.com rocketmail.com comcast.net verizon.net sbcglobal.net bellsouth.net rediffmail.com
  yahoo.co.uk yahoo.co.in yahoo.co.jp yahoo.com.br yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.ca
  yahoo.com.au yahoo.com.mx yahoo.com.ar yahoo.co.id yahoo.in hotmail.co.uk hotmail.fr hotmail.it
  hotmail.es hotmail.de outlook.fr outlook.es outlook.de outlook.it live.co.uk live.fr live.nl
  proton.me yandex.ru rambler.ru naver.com hanmail.net foxmail.com t-online.de freenet.de orange.fr
  wanadoo.fr laposte.net libero.it virgilio.it btinternet.com virginmedia.com bigpond.com
  telenet.be skynet.be ziggo.nl bluewin.ch seznam.cz centrum.cz interia.pl freemail.hu
  fastmail.com tutanota.com`);

/**
 * Mail services, and companies with mailboxes, whose names are one or two edits from one of TARGETS. None of
 * them is a typing error.
 */
const SIMILAR_SERVICES: ReadonlySet<string> = new Set(
  words(`
    aver.com coxmail.com eastmail.com fast-email.com fastmail.net flashmail.com hanmail2.net
    hitmail.com pocketmail.com prontomail.com qmail.com tatanova.com tz-online.de uymail.com xmail.com
    y7mail.com`),
);

/**
 * Disposable mail services of the same kind. No list of disposable domains is believed about another name that
 * reads as a typing error (`domain-lists.ts`): these lists contain the mistyped domains of imported mailing lists.
 */
const SIMILAR_DISPOSABLE_SERVICES: ReadonlySet<string> = new Set(
  words(`
    5ymail.com amail.com boxmail.co cmail.com fakemail.com famamail.com fanymail.com fastermail.com
    fboxmail.com fdaswmail.com flashmail.co gotmail.com houtlook.com lastmail.co lastmail.com
    notmail.com proto2mail.com tmail.com ymail4.com zmail.cam zoutlook.com`),
);

/** Top-level domains that do not exist, with the intended one. */
export const MISSPELLED_ENDINGS: ReadonlyMap<string, string> = new Map(
  wordsWithKey({
    com: `
      c c0m ccom cdom cfom cim ckm clm cmo cmom coim cojm cok col colm coma comi comk coml comm commm
      comn como comq con conm conn coom copm cpm cpn cpom cvom cxom dcom dom fcom fom kom ocm vcom vom
      xcom xom`,
    net: 'ent het jnet met neet neg ner nert nett nety newt nnet nret nrt nte nwt',
    org: '0rg irg lrg oeg ofg ogr orgg orgn orh ort otg prg rg rog',
    edu: 'deu edi eduu edy eud',
    uk: 'ku',
    fr: 'rf',
    it: 'ti',
    me: 'em',
    nl: 'ln',
    pl: 'lp',
    ru: 'ur',
  }),
);

/**
 * Existing top-level domains that are often typing errors; used only when the result is a well-known
 * provider.
 */
export const MISTAKEN_ENDINGS: ReadonlyMap<string, string> = new Map([
  ['co', 'com'],
  ['cm', 'com'],
  ['om', 'com'],
  ['cam', 'com'],
  ['ne', 'net'],
]);

/**
 * The probably intended domain, or null.
 *
 * Call it only where a wrong suggestion costs little (`judge.ts`): many working domains differ by one letter
 * from a well-known one.
 *
 * @param domain A-label, lower case, no final dot
 */
export function suggestDomain(domain: string): string | null {
  if (freeProvider(domain) !== null || isSimilarService(domain)) return null;

  const corrected = withEnding(domain, MISSPELLED_ENDINGS) ?? domain;
  const other = withEnding(corrected, MISTAKEN_ENDINGS);
  const provider = closestProvider(corrected) ?? (other === null ? null : closestProvider(other));
  if (provider !== null) return provider;
  return corrected === domain ? null : corrected;
}

function isSimilarService(domain: string): boolean {
  return SIMILAR_SERVICES.has(domain) || SIMILAR_DISPOSABLE_SERVICES.has(domain);
}

function withEnding(domain: string, endings: ReadonlyMap<string, string>): string | null {
  const dot = domain.lastIndexOf('.');
  const correct = dot > 0 ? endings.get(domain.slice(dot + 1)) : undefined;
  return correct === undefined ? null : `${domain.slice(0, dot)}.${correct}`;
}

function closestProvider(domain: string): string | null {
  if (freeProvider(domain) !== null) return domain;
  // A name without its top-level domain, or without the dot.
  if (!domain.includes('.')) return TARGETS.find((target) => isNamed(target, domain)) ?? null;

  const name = nameOf(domain);
  const sister = TARGETS.find((target) => nameOf(target) === name && areGeneric(domain, target));
  if (sister !== undefined) return sister;

  let nearest: string | null = null;
  let minDistance = Infinity;
  for (const target of TARGETS) {
    const allowed = maxDistance(target, domain);
    if (Math.abs(target.length - domain.length) > allowed || inOtherCountry(domain, target)) continue;
    const distance = editDistance(domain, target, allowed);
    if (distance <= allowed && distance < minDistance) {
      nearest = target;
      minDistance = distance;
    }
  }
  return nearest;
}

/**
 * One edit, two in a long name, none in a name of up to four letters: too many valid names are one edit
 * away from "aol" or "live". Of two edits, none is in the first letter or in the top-level domain:
 * "rp-online.de" and "fastmail.ca" are no typing errors.
 */
function maxDistance(target: string, typed: string): number {
  const length = nameOf(target).length;
  if (length >= 8 && target[0] === typed[0] && endingOf(target) === endingOf(typed)) return 2;
  return length >= 5 ? 1 : 0;
}

/** A country code is not a typing error of another one: yahoo.xx does not mean yahoo.ca. */
function inOtherCountry(domain: string, target: string): boolean {
  const [typed, correct] = [endingOf(domain), endingOf(target)];
  return typed.length === 2 && correct.length === 2 && typed !== correct;
}

function isNamed(target: string, typed: string): boolean {
  return nameOf(target) === typed || target.replaceAll('.', '') === typed;
}

/** Top-level domains that users confuse with each other. */
function areGeneric(...domains: string[]): boolean {
  return domains.every((domain) => /^[^.]+\.(?:com|net|org)$/.test(domain));
}

function endingOf(domain: string): string {
  return domain.slice(domain.lastIndexOf('.') + 1);
}

function nameOf(domain: string): string {
  return domain.slice(0, domain.indexOf('.'));
}
