import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { useMe } from '../../api/queries';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ConfirmDialog } from '../../ui/dialog';
import { Icon } from '../../ui/icons';
import { Menu, MenuItem } from '../../ui/menu';
import { Badge, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';

type Invite = Schemas['Invite'];

/** The pending invites of the team, at most 50. */
export const useInvites = (isShown: boolean) =>
  useQuery({
    queryKey: ['invites'],
    queryFn: () => data(api.GET('/v1/team/invites', { params: { query: { status: 'pending', limit: 50 } } })),
    enabled: isShown,
  });

/** Who is invited, as a row of the members. @param onResend the new invite has another row. */
export function InviteRow({ invite, onResend }: { invite: Invite; onResend: () => void }) {
  const t = useTexts(teamEn);
  const { date } = useFormats();
  const mayInvite = (useMe()?.user ?? null) !== null;
  const [isRevoking, setIsRevoking] = useState(false);
  const revoke = useApiMutation(
    () => api.DELETE('/v1/team/invites/{id}', { params: { path: { id: invite.id } } }),
    [['invites']],
  );
  return (
    <tr>
      <td>
        {invite.email} <Badge tone="accent">{t.team.invited}</Badge>
      </td>
      <td>{t.common.role[invite.role]}</td>
      <td className={styles.muted}>{t.team.validUntil(date(invite.expires_at))}</td>
      <td className={styles.muted}>–</td>
      <td className={styles.end}>
        <Menu label={`${t.common.actions}: ${invite.email}`} button={<Icon name="more" />}>
          {mayInvite && <MenuItem onSelect={onResend}>{t.team.resend}</MenuItem>}
          <MenuItem isDangerous onSelect={() => setIsRevoking(true)}>
            {t.team.revoke}
          </MenuItem>
        </Menu>
        {isRevoking && (
          <ConfirmDialog
            title={t.team.revoke}
            question={t.team.revokeInviteAsk(invite.email)}
            confirm={t.team.revoke}
            onConfirm={() => revoke.mutateAsync()}
            onClose={() => setIsRevoking(false)}
          />
        )}
      </td>
    </tr>
  );
}
