import type { Language, Mail } from '../../../../kernel/mail.js';
import { STATUSES, type Status } from '../../../../kernel/verdict.js';
import type { BulkJob } from './bulk-job.js';

/** Mails of a team per UTC day; further lists end without one. */
export const MAX_LIST_MAILS_PER_DAY = 50;
/** A mail that could not be sent for so long says nothing new. */
export const LIST_MAIL_DAYS = 2;

/** Counts and a link, never an address of the list. */
type ListMail = (brand: string, to: string, job: BulkJob, link: string) => Mail;

const STATUSES_DE: Readonly<Record<Status, string>> = {
  deliverable: 'zustellbar',
  undeliverable: 'unzustellbar',
  risky: 'riskant',
  unknown: 'unbekannt',
};

export const listMail: Readonly<Record<Language, ListMail>> = {
  en: (brand, to, job, link) => {
    const name = job.name === null ? 'Your list' : `Your list "${job.name}"`;
    const counts = countsIn(job, 'en', (status) => status);
    return {
      to,
      subject: `${name} ${job.state === 'failed' ? 'has failed' : 'is ready'}`,
      text: [
        ...(job.state === 'failed'
          ? [`${name} on ${brand} could not be verified to its end. Results so far:`]
          : [`${name} on ${brand} is verified. Rows:`]),
        ...counts,
        '',
        'Open the list:',
        link,
        '',
        'You get this mail because it was asked for when the list was sent or while it was verified.',
        '',
      ].join('\n'),
    };
  },
  de: (brand, to, job, link) => {
    const name = job.name === null ? 'Ihre Liste' : `Ihre Liste „${job.name}“`;
    const counts = countsIn(job, 'de', (status) => STATUSES_DE[status]);
    return {
      to,
      subject: `${name} ${job.state === 'failed' ? 'ist fehlgeschlagen' : 'ist fertig'}`,
      text: [
        ...(job.state === 'failed'
          ? [`${name} bei ${brand} konnte nicht bis zum Ende geprüft werden. Ergebnisse bis dahin:`]
          : [`${name} bei ${brand} ist geprüft. Zeilen:`]),
        ...counts,
        '',
        'Öffnen Sie die Liste:',
        link,
        '',
        'Sie erhalten diese E-Mail, weil sie beim Senden der Liste oder während der Prüfung bestellt wurde.',
        '',
      ].join('\n'),
    };
  },
};

function countsIn({ byStatus }: BulkJob, language: Language, nameOf: (status: Status) => string): string[] {
  const numbers = new Intl.NumberFormat(language);
  return STATUSES.map((status) => `- ${nameOf(status)}: ${numbers.format(byStatus[status])}`);
}
