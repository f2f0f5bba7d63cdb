import { LANGUAGES, type Language } from '../../../../kernel/mail.js';
import { PageQuery, pageOf } from '../../../../platform/http/paging/cursor.js';
import {
  EmailAddress,
  Flag,
  Id,
  LinkToken,
  OneOf,
  Schema,
  Text,
  Time,
  WholeNumber,
} from '../../../../platform/http/validation/fields.js';
import { INVITE_ROLES, INVITE_STATUSES, type InviteRole, type InviteStatus } from '../domain/invite.js';
import type { InviteOffer, InviteView, NewInvite } from './invites.service.js';

export class InvitesQuery extends PageQuery {
  @OneOf(INVITE_STATUSES, { optional: true, description: 'Only invites of this status.' })
  status?: InviteStatus;
}

@Schema('InviteCreate')
export class InviteCreate {
  @EmailAddress()
  email: string;

  @OneOf(INVITE_ROLES, { default: 'member' })
  role: InviteRole = 'member';

  @WholeNumber({ default: 7, min: 1, max: 30, message: 'Send a whole number of days from 1 to 30.' })
  expires_in_days = 7;

  @OneOf(LANGUAGES, { default: 'en', description: 'Of the mail.' })
  language: Language = 'en';
}

@Schema('Invite')
export class InviteResponse {
  @Id('inv')
  id: string;

  @Text({ example: 'jane@example.com' })
  email: string;

  @OneOf(INVITE_ROLES)
  role: InviteRole;

  @OneOf(INVITE_STATUSES)
  status: InviteStatus;

  @Id('usr', { description: 'A user’s id.' })
  invited_by: string;

  @Flag({
    description:
      'Whether the link is sent to the address. If not, pass it on: no mail server is configured, the owner of the team has not confirmed their address, or the address got three invites today.',
  })
  by_mail: boolean;

  @Time()
  created_at: string;

  @Time({ example: '2026-11-28T12:00:00.000Z' })
  expires_at: string;

  @Time({ nullable: true, example: null })
  accepted_at: string | null;
}

@Schema('InvitePage')
export class InvitePage extends pageOf(InviteResponse) {}

const ONCE = 'Shown once; null in a replayed response.';

@Schema('NewInvite')
export class NewInviteResponse extends InviteResponse {
  @Text({ nullable: true, description: ONCE })
  token: string | null;

  @Text({ nullable: true, description: `The page of the console that asks whether to join. ${ONCE}` })
  accept_url: string | null;
}

export function toInviteResponse({ invite, status }: InviteView): InviteResponse {
  return {
    id: invite.id,
    email: invite.email,
    role: invite.role,
    status,
    invited_by: invite.invitedBy,
    by_mail: invite.byMail,
    created_at: invite.createdAt.toISOString(),
    expires_at: invite.expiresAt.toISOString(),
    accepted_at: invite.acceptedAt?.toISOString() ?? null,
  };
}

export function toNewInviteResponse(made: NewInvite): NewInviteResponse {
  return { ...toInviteResponse(made), token: made.token, accept_url: made.acceptUrl };
}

@Schema('InviteRead')
export class InviteRead {
  @LinkToken('Send the token of the invite.')
  token: string;
}

@Schema('InviteOffer')
export class InviteOfferResponse {
  @Text({ description: 'The name of the team.', example: 'Acme' })
  team: string;

  @Text({
    nullable: true,
    description: 'The address of the inviter; null: they have not confirmed it.',
    example: 'joe@example.com',
  })
  invited_by: string | null;

  @Text({ description: 'The address of the invite. Another one may join, too.', example: 'jane@example.com' })
  email: string;

  @OneOf(INVITE_ROLES)
  role: InviteRole;

  @Time({ example: '2026-11-28T12:00:00.000Z' })
  expires_at: string;
}

export function toOfferResponse({ invite, teamName, inviter }: InviteOffer): InviteOfferResponse {
  const { email, role, expiresAt } = invite;
  return { team: teamName, invited_by: inviter, email, role, expires_at: expiresAt.toISOString() };
}
