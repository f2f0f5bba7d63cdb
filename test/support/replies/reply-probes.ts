import type { ReplyProbes } from './probe-kinds.js';
import { OF_MAILBOXES } from './reply-probes.mailboxes.js';
import { OF_RECIPIENTS } from './reply-probes.recipients.js';
import { OF_FORMS_AND_RELAYS } from './reply-probes.relayed.js';
import { IN_OTHER_LANGUAGES } from './reply-probes.languages.js';
import { BY_STRUCTURE } from './reply-probes.structures.js';
import { IN_OTHER_WORDS } from './reply-probes.wordings.js';

export const REPLY_PROBES: readonly ReplyProbes[] = [
  ...BY_STRUCTURE,
  ...IN_OTHER_LANGUAGES,
  ...IN_OTHER_WORDS,
  ...OF_FORMS_AND_RELAYS,
  ...OF_MAILBOXES,
  ...OF_RECIPIENTS,
];
