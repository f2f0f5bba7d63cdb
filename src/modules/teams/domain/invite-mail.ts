import type { Mail } from '../../../kernel/mailer.js';
import type { Invite, InviteId } from './invite.js';

const MINUTE_MS = 60_000;
const LONGEST_PAUSE_MS = 6 * 60 * MINUTE_MS;

/** Tried this often, some two days long; then the address is given up, and the link in the answer must do. */
export const MOST_MAIL_ATTEMPTS = 15;

/** A mail that waits to be sent, or tried again. */
export interface WaitingInviteMail {
  inviteId: InviteId;
  /** This one included. */
  attempts: number;
  /** null: it cannot be read, because `SECRET_KEY` no longer lists the key it was stored under. */
  mail: Mail | null;
}

/** How long after the attempt of this number (from 1) the next one is due; longer than any attempt takes. */
export function pauseAfterAttempt(attempt: number): number {
  return Math.min(LONGEST_PAUSE_MS, MINUTE_MS * 2 ** (attempt - 1));
}

export function inviteMail(invite: Invite, teamName: string, acceptUrl: string): Mail {
  const lastDay = invite.expiresAt.toISOString().slice(0, 16).replace('T', ' ');
  return {
    to: invite.email,
    subject: `You are invited to the team ${teamName} on Rcpt`,
    text: [
      `You are invited to join the team "${teamName}" on Rcpt, as ${invite.role}.`,
      '',
      'This link says how to accept:',
      acceptUrl,
      '',
      `It can be used once, until ${lastDay} UTC. Whoever holds it can join, so keep it to yourself.`,
      'If you did not expect this mail, leave it: nothing happens.',
      '',
    ].join('\n'),
  };
}
