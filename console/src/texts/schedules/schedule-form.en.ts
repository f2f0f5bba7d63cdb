import { listMailsEn } from '../lists/list-mails.en';
import { schedulesEn } from './schedules.en';

export const scheduleFormEn = {
  scheduleForm: {
    // Its day.
    weekday: 'On',
    day: 'On day',
    dayOf: (day: number) =>
      day === 31 ? 'the last day' : day > 28 ? `${day}, or the last day` : String(day),
    // Its column.
    columnHint: 'Its name or number in a CSV. Empty: it is found.',
    // A mail about failures.
    notify: (email: string) => `Mail ${email} when a run fails, at most once a day`,
    notifyAny: 'Send a mail when a run fails',
    // Its check.
    check: 'Check the source',
    checking: 'The source is being read …',
    readable: 'The source can be read.',
    unreadable: 'The source cannot be read.',
    /** @param of the column with the addresses. */
    columns: (names: string, of: string) => `Columns: ${names}. The addresses are in “${of}”.`,
    addresses: (addresses: string, rows: string, isWhole: boolean) =>
      isWhole
        ? `${rows === '1' ? '1 row' : `${rows} rows`}, ${addresses} with an address.`
        : `Of the first ${rows} rows, ${addresses} have an address.`,
    list: (id: number, name: string) => `${name} (list ${id})`,
    subscribers: (count: string) => (count === '1' ? '1 subscriber' : `${count} subscribers`),
    notCounted: 'not counted by listmonk',
    total: (count: string) => `listmonk counts ${count} subscriptions to these lists in all.`,
    addAnyway: 'Add anyway',
    saveAnyway: 'Save anyway',
  },
};

/** Of the dialog of a schedule. */
export const scheduleFormTexts = { ...schedulesEn, ...listMailsEn, ...scheduleFormEn };
