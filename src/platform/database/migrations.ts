import { Foundation1763600000000 } from './migrations/1763600000000-foundation.js';
import { NewsAndAudit1763600000100 } from './migrations/1763600000100-news-and-audit.js';

/** In the order in which they run. A migration that was released is never changed. */
export const MIGRATIONS = [Foundation1763600000000, NewsAndAudit1763600000100];
