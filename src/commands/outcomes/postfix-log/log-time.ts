import { DAY_MS } from '../../../kernel/durations.js';
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** A 29 February is found in one of these years. */
const MAX_YEARS = 8;
/** RFC 3339 as rsyslog writes it, or `journalctl -o short-iso`, whose offset may have no colon. */
const WITH_YEAR = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?:(Z)|([+-]\d\d):?(\d\d))$/;
/** RFC 3164: local time of the machine, without a year. */
const WITHOUT_YEAR = /^([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?$/;

/**
 * The time of a line.
 *
 * @param latest the line was written until then. A time without a year is in the last year that is not after it.
 * @returns null: it is no time.
 */
export function timeOfLine(text: string, latest: Date): Date | null {
  const [, date, time, zulu, hours, minutes] = WITH_YEAR.exec(text) ?? [];
  const found =
    date === undefined
      ? inLastYear(text, latest)
      : new Date(`${date}T${time}${zulu ?? `${hours}:${minutes}`}`);
  return found === null || Number.isNaN(found.getTime()) ? null : found;
}

function inLastYear(text: string, latest: Date): Date | null {
  const [, name = '', ...numbers] = WITHOUT_YEAR.exec(text) ?? [];
  const month = MONTHS.indexOf(name);
  const [day = 0, hours = 0, minutes = 0, seconds = 0] = numbers.map(Number);
  if (month === -1) return null;
  for (let years = 0; years < MAX_YEARS; years++) {
    const time = new Date(latest.getFullYear() + 1 - years, month, day, hours, minutes, seconds);
    // Clocks and time zones differ.
    if (time.getMonth() === month && time.getTime() <= latest.getTime() + DAY_MS)
      return time > latest ? latest : time;
  }
  return null;
}
