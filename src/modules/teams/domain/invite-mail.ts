import type { Mail } from '../../../kernel/mail.js';
import type { Invite } from './invite.js';

/** @param teamName free text: only of a team whose owner has confirmed the address. */
export function inviteMail(brand: string, invite: Invite, teamName: string, acceptUrl: string): Mail {
  const lastDay = invite.expiresAt.toISOString().slice(0, 16).replace('T', ' ');
  return {
    to: invite.email,
    subject: `You are invited to the team ${teamName} on ${brand}`,
    text: [
      `You are invited to join the team "${teamName}" on ${brand}, as ${invite.role}.`,
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
