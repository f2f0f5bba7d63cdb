import type { Mail } from '../../../kernel/mail.js';
import type { Invite } from './invite.js';

/** Characters of a URL or of an address, with their compatibility forms and the dots of IDNA (UTS #46). */
const IN_URLS = /[./:@\\\u3002]/;

/**
 * The name of a team in mails to strangers; null: not to be named. Mail programs make a link of
 * `shop.example`, so that the name of a team whose owner is not confirmed could advertise it.
 */
export function nameInMail(teamName: string, isOwnerConfirmed: boolean): string | null {
  return isOwnerConfirmed || !IN_URLS.test(teamName.normalize('NFKC')) ? teamName : null;
}

/** @param teamName null: the team is not named. */
export function inviteMail(invite: Invite, teamName: string | null, acceptUrl: string): Mail {
  const lastDay = invite.expiresAt.toISOString().slice(0, 16).replace('T', ' ');
  return {
    to: invite.email,
    subject: `You are invited to ${teamName === null ? 'a team' : `the team ${teamName}`} on Rcpt`,
    text: [
      `You are invited to join ${teamName === null ? 'a team' : `the team "${teamName}"`} on Rcpt, as ${invite.role}.`,
      '',
      'This link explains how to accept:',
      acceptUrl,
      '',
      `It can be used once, until ${lastDay} UTC. Anyone with the link can join, so do not share it.`,
      'If you did not expect this mail, ignore it.',
      '',
    ].join('\n'),
  };
}
