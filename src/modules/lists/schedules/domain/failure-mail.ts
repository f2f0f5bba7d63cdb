import type { Language, Mail } from '../../../../kernel/mail.js';
import { sentenceOf, type Failure } from './failure.js';

/** Of a schedule per UTC day. */
export const MAX_FAILURE_MAILS_PER_DAY = 1;
/** A mail that could not be sent for so long says nothing new. */
export const FAILURE_MAIL_DAYS = 2;

interface FailedRun {
  /** Of the schedule. */
  name: string;
  failure: Failure;
  /** Whether it was the last of the failures that disable a schedule. */
  isDisabled: boolean;
  link: string;
}

interface Words {
  subject: (name: string) => string;
  intro: (brand: string, name: string) => string;
  disabled: string;
  /** The sentences of failures are in English. */
  reason: (sentence: string) => string;
  open: string;
  why: string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    subject: (name) => `The schedule "${name}" has failed`,
    intro: (brand, name) => `A run of the schedule "${name}" on ${brand} has failed.`,
    disabled: 'It was the third failure in a row, so the schedule is disabled and runs no more.',
    reason: (sentence) => sentence,
    open: 'Open the schedule:',
    why: 'You get this mail because it was asked for in the schedule. Other failures of the same day give no mail.',
  },
  de: {
    subject: (name) => `Der Zeitplan „${name}“ ist fehlgeschlagen`,
    intro: (brand, name) => `Ein Lauf des Zeitplans „${name}“ bei ${brand} ist fehlgeschlagen.`,
    disabled:
      'Es war der dritte Fehler nacheinander; darum ist der Zeitplan ausgeschaltet und läuft nicht mehr.',
    reason: (sentence) => `Der Grund, auf Englisch: ${sentence}`,
    open: 'Öffnen Sie den Zeitplan:',
    why: 'Sie erhalten diese E-Mail, weil sie im Zeitplan bestellt wurde. Weitere Fehler desselben Tages werden nicht gemeldet.',
  },
};

export function failureMail(language: Language, brand: string, to: string, run: FailedRun): Mail {
  const words = WORDS[language];
  return {
    to,
    subject: words.subject(run.name),
    text: [
      words.intro(brand, run.name),
      ...(run.isDisabled ? [words.disabled] : []),
      '',
      words.reason(sentenceOf(run.failure)),
      '',
      words.open,
      run.link,
      '',
      words.why,
      '',
    ].join('\n'),
  };
}
