import { Foundation1763600000000 } from './migrations/1763600000000-foundation.js';

/** In the order in which they run. A migration that was released is never changed. */
export const MIGRATIONS = [Foundation1763600000000];
