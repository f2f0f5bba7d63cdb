import { type Language, type Mail, untilText } from '../../../../kernel/mail.js';
import type { Invite, InviteRole } from './invite.js';

/** @param teamName free text: only of a team whose owner has confirmed the address. */
type InviteMail = (brand: string, invite: Invite, teamName: string, link: string) => Mail;

const ROLES_DE: Readonly<Record<InviteRole, string>> = { member: 'Mitglied', admin: 'Verwalter' };

export const inviteMail: Readonly<Record<Language, InviteMail>> = {
  en: (brand, { email: to, role, expiresAt }, teamName, link) => ({
    to,
    subject: `You are invited to the team ${teamName} on ${brand}`,
    text: [
      `You are invited to join the team "${teamName}" on ${brand}, as ${role}. Open this link to join:`,
      link,
      '',
      `It can be used once, until ${untilText(expiresAt)}. Anyone with the link can join, so do not share it.`,
      'If you did not expect this mail, ignore it.',
      '',
    ].join('\n'),
  }),
  de: (brand, { email: to, role, expiresAt }, teamName, link) => ({
    to,
    subject: `Sie sind in das Team ${teamName} bei ${brand} eingeladen`,
    text: [
      `Sie sind eingeladen, dem Team „${teamName}“ bei ${brand} als ${ROLES_DE[role]} beizutreten. Öffnen Sie dazu diesen Link:`,
      link,
      '',
      `Er gilt einmal, bis ${untilText(expiresAt)}. Wer ihn hat, kann beitreten: Geben Sie ihn nicht weiter.`,
      'Wenn Sie diese E-Mail nicht erwartet haben, ignorieren Sie sie.',
      '',
    ].join('\n'),
  }),
};
