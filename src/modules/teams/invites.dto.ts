import { z } from 'zod';
import { PageQuery } from '../../platform/http/cursor.js';
import { AddressField } from '../../platform/http/fields.js';
import { INVITE_ROLES, INVITE_STATUSES } from './domain/invite.js';
import type { InviteView, NewInvite } from './invites.service.js';

const SEND_DAYS = 'Send a whole number of days from 1 to 30.';

export const InvitesQuery = PageQuery.extend({
  status: z
    .enum(INVITE_STATUSES, `Send one of ${INVITE_STATUSES.join(', ')}.`)
    .optional()
    .meta({ description: 'Only invites of this status.' }),
});

export const InviteCreate = z
  .strictObject({
    email: AddressField,
    role: z.enum(INVITE_ROLES, `Send one of ${INVITE_ROLES.join(', ')}.`).default('member'),
    expires_in_days: z.int(SEND_DAYS).min(1, SEND_DAYS).max(30, SEND_DAYS).default(7),
  })
  .meta({ id: 'InviteCreate' });

export const InviteResponse = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    role: z.enum(INVITE_ROLES),
    status: z.enum(INVITE_STATUSES),
    invited_by: z.string().meta({ description: 'A user’s id.' }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    accepted_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Invite' });
export type InviteResponse = z.infer<typeof InviteResponse>;

const ONCE = 'Shown once; null where an answer is replayed.';
export const NewInviteResponse = InviteResponse.extend({
  token: z.string().nullable().meta({ description: ONCE }),
  accept_url: z
    .string()
    .nullable()
    .meta({ description: `A page that says how to accept. ${ONCE}` }),
}).meta({ id: 'NewInvite' });
export type NewInviteResponse = z.infer<typeof NewInviteResponse>;

export function toInviteResponse({ invite, status }: InviteView): InviteResponse {
  return {
    id: invite.id,
    email: invite.email,
    role: invite.role,
    status,
    invited_by: invite.invitedBy,
    created_at: invite.createdAt.toISOString(),
    expires_at: invite.expiresAt.toISOString(),
    accepted_at: invite.acceptedAt?.toISOString() ?? null,
  };
}

export function toNewInviteResponse(made: NewInvite): NewInviteResponse {
  return { ...toInviteResponse(made), token: made.token, accept_url: made.acceptUrl };
}
