import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Me, type Role, type Schemas } from '../../api/client';
import { useIsLive, useMay } from '../../api/queries';
import { signOut } from '../../api/session';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ConfirmDialog } from '../../ui/dialog';
import { Icon } from '../../ui/icons';
import { Menu, MenuItem } from '../../ui/menu';
import { Badge, styles } from '../../ui/ui';
import { useRoleChange, type ChangedRole } from './role-change';

type Member = Schemas['Member'];

export function MemberRow({
  me,
  member,
  onRole,
}: {
  me: Me;
  member: Member;
  onRole: (changed: ChangedRole) => void;
}) {
  const t = useTexts(teamEn);
  const { date, time } = useFormats();
  const isMe = member.user_id === me.user?.id;
  const mayChange = useIsLive() && member.role !== 'owner';
  const isOwner = useMay('owner') && mayChange;
  const mayRemove = (useMay('admin') || isMe) && mayChange;
  const [asked, setAsked] = useState<Role | 'remove' | null>(null);
  const other = member.role === 'admin' ? 'member' : 'admin';
  return (
    <tr>
      <td>
        {member.email} {isMe && <Badge>{t.team.you}</Badge>}{' '}
        {!member.confirmed && (
          <span title={t.team.notConfirmedHint}>
            <Badge tone="risky">{t.team.notConfirmed}</Badge>
          </span>
        )}
      </td>
      <td>{t.common.role[member.role]}</td>
      <td className={styles.muted}>{date(member.joined_at)}</td>
      <td className={styles.muted}>
        {member.last_active_at === null ? t.common.never : time(member.last_active_at)}
      </td>
      <td className={styles.end}>
        {(isOwner || mayRemove) && (
          <Menu label={`${t.common.actions}: ${member.email}`} button={<Icon name="more" />}>
            {isOwner && (
              <>
                <MenuItem onSelect={() => setAsked(other)}>{t.team.makeRole[other]}</MenuItem>
                <MenuItem onSelect={() => setAsked('owner')}>{t.team.makeOwner}</MenuItem>
              </>
            )}
            {mayRemove && (
              <MenuItem isDangerous onSelect={() => setAsked('remove')}>
                {isMe ? t.team.leave : t.common.remove}
              </MenuItem>
            )}
          </Menu>
        )}
        {asked !== null && (
          <Question
            isMe={isMe}
            member={member}
            asked={asked}
            onRole={onRole}
            onClose={() => setAsked(null)}
          />
        )}
      </td>
    </tr>
  );
}

function Question({
  isMe,
  member,
  asked,
  onRole,
  onClose,
}: {
  isMe: boolean;
  member: Member;
  asked: Role | 'remove';
  onRole: (changed: ChangedRole) => void;
  onClose: () => void;
}) {
  const t = useTexts(teamEn);
  const client = useQueryClient();
  const change = useRoleChange();
  const remove = async () => {
    await api.DELETE('/v1/team/members/{id}', { params: { path: { id: member.id } } });
    if (isMe) signOut();
    else await client.invalidateQueries({ queryKey: ['me'] });
  };
  if (asked === 'remove') {
    const title = isMe ? t.team.leave : t.common.remove;
    const question = isMe ? t.team.leaveAsk : t.team.removeAsk(member.email);
    return (
      <ConfirmDialog title={title} question={question} confirm={title} onConfirm={remove} onClose={onClose} />
    );
  }
  const title = asked === 'owner' ? t.team.makeOwner : t.team.makeRole[asked];
  const question =
    asked === 'owner' ? t.team.makeOwnerAsk(member.email) : t.team.makeRoleAsk[asked](member.email);
  const setRole = async () => {
    await change.mutateAsync({ id: member.id, role: asked });
    onRole({ id: member.id, email: member.email, from: member.role, to: asked });
  };
  return (
    <ConfirmDialog title={title} question={question} confirm={title} onConfirm={setRole} onClose={onClose} />
  );
}
