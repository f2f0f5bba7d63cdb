import { useSyncExternalStore } from 'react';
import { en, type Texts } from './en';

export type Language = 'en' | 'de';
export type { Texts };
/** German is a script of its own, which only its readers load. */
const loaded: { de: Texts | null } = { de: null };
/** With the English texts of a page. */
const merged = new WeakMap<object, object>();
const STORED = 'rcpt.language';

const listeners = new Set<() => void>();
let language: Language = initial();
apply();

/** @throws Error when its texts cannot be loaded; the language stays. */
export async function setLanguage(next: Language): Promise<void> {
  await load(next);
  language = next;
  localStorage.setItem(STORED, next);
  apply();
  for (const listener of listeners) listener();
}

export function useLanguage(): Language {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => language,
  );
}

export function useTexts(): typeof en;
/** @param section English texts of a page that is loaded later. */
export function useTexts<Section extends Partial<Texts>>(section: Section): typeof en & Section;
export function useTexts(section: object = en): object {
  const isGerman = useLanguage() === 'de';
  if (isGerman && loaded.de !== null) return loaded.de;
  const texts = merged.get(section) ?? { ...en, ...section };
  merged.set(section, texts);
  return texts;
}

type Formats = ReturnType<typeof formatsOf>;
const formats = new Map<string, Formats>();

/** Times in the zone of the reader. */
export function useFormats(): Formats {
  const locale =
    useLanguage() === 'de' ? 'de-DE' : navigator.language.startsWith('en') ? navigator.language : 'en';
  const known = formats.get(locale) ?? formatsOf(locale);
  formats.set(locale, known);
  return known;
}

/** Each formatter is made once, when it is first used: one takes a millisecond, and every component has some. */
function formatsOf(locale: string) {
  const dates = (options: Intl.DateTimeFormatOptions) => once(() => new Intl.DateTimeFormat(locale, options));
  const numbers = (options?: Intl.NumberFormatOptions) => once(() => new Intl.NumberFormat(locale, options));
  const date = dates({ dateStyle: 'medium' });
  const time = dates({ dateStyle: 'medium', timeStyle: 'short' });
  const exact = dates({ dateStyle: 'medium', timeStyle: 'medium' });
  const clock = dates({ timeStyle: 'short' });
  const number = numbers();
  const percent = numbers({ style: 'percent', maximumFractionDigits: 1 });
  return {
    number: (value: number) => number().format(value),
    percent: (part: number, whole: number) => percent().format(whole === 0 ? 0 : part / whole),
    date: (iso: string) => date().format(new Date(iso)),
    clock: (iso: string) => clock().format(new Date(iso)),
    /** With seconds. */
    exactTime: (iso: string) => exact().format(new Date(iso)),
    time: (iso: string) => time().format(new Date(iso)),
    money: (minor: number, currency: string) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency }).format(minor / 100),
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Loads the texts of the first page. English is always there. */
export const firstTexts = () =>
  load(language).catch(() => {
    language = 'en';
    apply();
  });

async function load(wanted: Language): Promise<void> {
  if (wanted === 'de') loaded.de ??= (await import('./de')).de;
}

function initial(): Language {
  const stored = localStorage.getItem(STORED);
  if (stored === 'en' || stored === 'de') return stored;
  return navigator.language.startsWith('de') ? 'de' : 'en';
}

function apply(): void {
  document.documentElement.lang = language;
}
