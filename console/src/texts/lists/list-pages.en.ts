import { breakdownEn } from './breakdown.en';
import { heldEn } from './held.en';
import { keptEn } from './kept.en';
import { listMailsEn } from './list-mails.en';
import { listsEn } from './lists.en';

/** Of the pages of lists, which are loaded after the first page. */
export const listPagesEn = { ...listsEn, ...heldEn, ...keptEn, ...breakdownEn, ...listMailsEn };
