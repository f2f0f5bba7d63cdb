import type { MailScene } from './mail-scene.js';
import { EXCHANGES } from './mail-scenes.exchanges.js';
import { WELL_BEHAVED } from './mail-scenes.good.js';
import { HOSTILE } from './mail-scenes.hostile.js';
import { MAILBOXES } from './mail-scenes.mailboxes.js';
import { ROUTES } from './mail-scenes.routes.js';
import { UNWILLING } from './mail-scenes.unwilling.js';

/** Every domain of the mail world. */
export const MAIL_SCENES: readonly MailScene[] = [
  ...WELL_BEHAVED,
  ...ROUTES,
  ...EXCHANGES,
  ...UNWILLING,
  ...MAILBOXES,
  ...HOSTILE,
];
