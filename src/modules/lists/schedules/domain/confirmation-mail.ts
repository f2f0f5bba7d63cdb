import { untilText, type Language, type Mail } from '../../../../kernel/mail.js';
import type { ScheduleRun } from './schedule-run.js';

/** Mails of a team per UTC day; the console and the event say the same. */
export const MAX_CONFIRMATION_MAILS_PER_DAY = 20;

interface Subject {
  /** Of the schedule. */
  name: string;
  run: ScheduleRun;
  link: string;
}

interface Words {
  subject: (name: string) => string;
  intro: (brand: string, name: string, subscribers: string, share: string) => string;
  reasons: string;
  meaning: string;
  until: (time: string) => string;
  why: string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    subject: (name) => `The schedule "${name}" needs your confirmation`,
    intro: (brand, name, subscribers, share) =>
      `A run of the schedule "${name}" on ${brand} would blocklist ${subscribers} subscribers in listmonk, ${share} of those that it has read. That is more than the schedule may do by itself, so nobody has been blocklisted.`,
    reasons: 'The commonest reasons:',
    meaning:
      'listmonk ends all subscriptions of everyone whom it blocklists, on all lists. To enable a subscriber again does not bring them back.',
    until: (time) => `Write or discard the results until ${time}; then they are discarded:`,
    why: 'You get this mail because you have created the schedule.',
  },
  de: {
    subject: (name) => `Der Zeitplan „${name}“ braucht Ihre Bestätigung`,
    intro: (brand, name, subscribers, share) =>
      `Ein Lauf des Zeitplans „${name}“ bei ${brand} würde ${subscribers} Abonnenten in listmonk sperren, ${share} der gelesenen. Das ist mehr, als der Zeitplan von selbst darf; darum wurde niemand gesperrt.`,
    reasons: 'Die häufigsten Gründe:',
    meaning:
      'listmonk beendet alle Abonnements der Gesperrten, auf allen Listen. Wird ein Abonnent wieder aktiviert, kommen sie nicht zurück.',
    until: (time) => `Schreiben oder verwerfen Sie die Ergebnisse bis ${time}; danach werden sie verworfen:`,
    why: 'Sie erhalten diese E-Mail, weil Sie den Zeitplan angelegt haben.',
  },
};

/** In both languages, because no request says which one the reader reads. Counts and a link, never an address. */
export function confirmationMail(brand: string, to: string, { name, run, link }: Subject): Mail {
  const textIn = (language: Language) => {
    const words = WORDS[language];
    const { subscribers, share, reasons } = run.confirmation ?? { subscribers: 0, share: 0, reasons: [] };
    const number = new Intl.NumberFormat(language);
    const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
    return [
      words.intro(brand, name, number.format(subscribers), percent.format(share)),
      '',
      words.reasons,
      ...reasons.map(({ reason, count }) => `- ${reason}: ${number.format(count)}`),
      '',
      words.meaning,
      '',
      ...(run.confirmBy === null ? [] : [words.until(untilText(run.confirmBy))]),
      link,
      '',
      words.why,
      '',
    ];
  };
  return {
    to,
    subject: `${WORDS.en.subject(name)} / ${WORDS.de.subject(name)}`,
    text: [...textIn('en'), '---', '', ...textIn('de')].join('\n'),
  };
}
