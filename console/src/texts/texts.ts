import { useSyncExternalStore } from 'react';
import { de } from './de';
import { en, type Texts } from './en';

export type Language = 'en' | 'de';
export type { Texts };
const ALL: Readonly<Record<Language, Texts>> = { en, de };
const STORED = 'rcpt.language';

const listeners = new Set<() => void>();
let language: Language = initial();
apply();

export function setLanguage(next: Language): void {
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

export function useTexts(): Texts {
  return ALL[useLanguage()];
}

/** Times in the zone of the reader. */
export function useFormats() {
  const locale =
    useLanguage() === 'de' ? 'de-DE' : navigator.language.startsWith('en') ? navigator.language : 'en';
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  return {
    number: (value: number) => number.format(value),
    percent: (part: number, whole: number) => percent.format(whole === 0 ? 0 : part / whole),
    date: (iso: string) => date.format(new Date(iso)),
    time: (iso: string) => time.format(new Date(iso)),
    money: (minor: number, currency: string) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency }).format(minor / 100),
  };
}

function initial(): Language {
  const stored = localStorage.getItem(STORED);
  if (stored === 'en' || stored === 'de') return stored;
  return navigator.language.startsWith('de') ? 'de' : 'en';
}

function apply(): void {
  document.documentElement.lang = language;
}
