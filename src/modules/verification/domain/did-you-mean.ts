import { editDistance } from './edit-distance.js';
import { freeProvider } from './free-providers.js';
import { words } from './words.js';

/** What people mean when they mistype, the most popular first: among equals the earlier one wins. */
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

/** Endings that do not exist, and the one that was meant. */
export const MISSPELLED_ENDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }).flatMap(([meant, typed]) => words(typed).map((ending): [string, string] => [ending, meant])),
);

/** Endings that exist, and are often only a slip: followed where they lead to a well-known provider. */
export const MISTAKEN_ENDINGS: ReadonlyMap<string, string> = new Map([
  ['co', 'com'],
  ['cm', 'com'],
  ['om', 'com'],
  ['cam', 'com'],
  ['ne', 'net'],
]);

/**
 * The domain that was probably meant, or null.
 *
 * To be asked about a domain that cannot take mail: many a domain that works is one letter away
 * from a famous one.
 *
 * @param domain A-label, lower case, no final dot
 */
export function suggestDomain(domain: string): string | null {
  if (freeProvider(domain) !== null) return null;

  const mended = withEnding(domain, MISSPELLED_ENDINGS) ?? domain;
  const other = withEnding(mended, MISTAKEN_ENDINGS);
  const provider = providerMeant(mended) ?? (other === null ? null : providerMeant(other));
  if (provider !== null) return provider;
  return mended === domain ? null : mended;
}

function withEnding(domain: string, endings: ReadonlyMap<string, string>): string | null {
  const dot = domain.lastIndexOf('.');
  const meant = dot > 0 ? endings.get(domain.slice(dot + 1)) : undefined;
  return meant === undefined ? null : `${domain.slice(0, dot)}.${meant}`;
}

function providerMeant(domain: string): string | null {
  if (freeProvider(domain) !== null) return domain;
  // A name with its ending, or only the dot, forgotten.
  if (!domain.includes('.')) return TARGETS.find((target) => isNamed(target, domain)) ?? null;

  const sister = TARGETS.find((target) => nameOf(target) === nameOf(domain) && areGeneric(domain, target));
  if (sister !== undefined) return sister;

  let nearest: string | null = null;
  let least = Infinity;
  for (const target of TARGETS) {
    const allowed = slipsAllowed(target);
    if (Math.abs(target.length - domain.length) > allowed || inOtherCountry(domain, target)) continue;
    const distance = editDistance(domain, target);
    if (distance <= allowed && distance < least) {
      nearest = target;
      least = distance;
    }
  }
  return nearest;
}

/**
 * One slip, two in a long name, none in one of four letters or fewer: one letter off "aol" or
 * "live" lie too many names that mean themselves.
 */
function slipsAllowed(target: string): number {
  const length = nameOf(target).length;
  if (length >= 8) return 2;
  return length >= 5 ? 1 : 0;
}

/** A country code is not a misspelling of another one: somebody at yahoo.xx does not mean yahoo.ca. */
function inOtherCountry(domain: string, target: string): boolean {
  const [typed, meant] = [domain, target].map((name) => name.slice(name.lastIndexOf('.') + 1));
  return typed?.length === 2 && meant?.length === 2 && typed !== meant;
}

function isNamed(target: string, typed: string): boolean {
  return nameOf(target) === typed || target.replaceAll('.', '') === typed;
}

/** Endings that people take for one another, whoever registered the name there. */
function areGeneric(...domains: string[]): boolean {
  return domains.every((domain) => /^[^.]+\.(?:com|net|org)$/.test(domain));
}

function nameOf(domain: string): string {
  return domain.slice(0, domain.indexOf('.'));
}
