import { TabValue } from '../../api/tab-value';

/** What stands in the field for the address. */
export const draft = new TabValue('rcpt.verify');
