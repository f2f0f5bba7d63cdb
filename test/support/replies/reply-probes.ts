import type { ReplyProbes } from './probe-kinds.js';
import { IN_OTHER_LANGUAGES } from './reply-probes.languages.js';
import { BY_STRUCTURE } from './reply-probes.structures.js';
import { IN_OTHER_WORDS } from './reply-probes.wordings.js';

export const REPLY_PROBES: readonly ReplyProbes[] = [
  ...BY_STRUCTURE,
  ...IN_OTHER_LANGUAGES,
  ...IN_OTHER_WORDS,
];
