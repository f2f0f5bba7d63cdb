import { words } from '../../kernel/text/words.js';

/** DNS lists of clients and senders, by the word that names each in a reply or a link. */
export const BLOCKLISTS: readonly string[] = words(
  'spamhaus spamcop sorbs abusix abuseat barracudacentral uceprotect senderscore senderbase mailspike surbl uribl cloudmark',
);
