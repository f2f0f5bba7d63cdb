import { TabValue } from '../../api/tab-value';

/** What stands in the field for the address. */
export const draft = new TabValue('rcpt.verify');

/** An address that another page wants to be verified. */
export const toAsk = new TabValue('rcpt.ask');

/** The verdict that is shown, as JSON: also after a visit to another page or a reload. */
export const shownVerdict = new TabValue('rcpt.verdict');

/** Addresses that were pasted where one belongs, for the page that verifies lists. */
export const pastedList = new TabValue('rcpt.pasted');
