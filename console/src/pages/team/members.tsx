import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Role, type Schemas } from '../../api/client';
import { useIsLive, useMay, useMe } from '../../api/queries';
import { signOut } from '../../api/session';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { ConfirmDialog } from '../../ui/dialog';
import { Section } from '../../ui/page-head';
import { Badge, Button, Table, styles } from '../../ui/ui';
import { Invites } from './invites';
import { Settings } from './settings';

type Member = Schemas['Member'];

export function Members() {
  const t = useTexts(teamEn);
  const { date } = useFormats();
  const me = useMe();
  const client = useQueryClient();
  const isLive = useIsLive();
  const isOwner = useMay('owner') && isLive;
  const isAdmin = useMay('admin') && isLive;
  const [removing, setRemoving] = useState<Member | null>(null);
  const [promoting, setPromoting] = useState<Member | null>(null);
  const [error, setError] = useState<Error | null>(null);
  if (me === null) return null;
  const isMe = (member: Member) => member.user_id === me.user?.id;
  const refresh = () => client.invalidateQueries({ queryKey: ['me'] });
  const setRole = async (member: Member, role: Role) => {
    setError(null);
    try {
      await api.PATCH('/v1/team/members/{id}', { params: { path: { id: member.id } }, body: { role } });
    } catch (caught) {
      setError(caught as Error);
    }
    await refresh();
  };
  const remove = async (member: Member) => {
    await api.DELETE('/v1/team/members/{id}', { params: { path: { id: member.id } } });
    if (isMe(member)) signOut();
    else await refresh();
  };
  return (
    <div className={styles.stack}>
      <ErrorNote error={error} />
      <Table label={t.team.tabs.members} head={[t.team.inviteEmail, t.team.roleLabel, t.team.joined, '']}>
        {me.team.members.map((member) => (
          <tr key={member.id}>
            <td>
              {member.email} {isMe(member) && <Badge>{t.team.you}</Badge>}
            </td>
            <td>
              {isOwner && member.role !== 'owner' ? (
                <select
                  className={styles.input}
                  aria-label={`${t.team.roleLabel}: ${member.email}`}
                  value={member.role}
                  onChange={({ target }) =>
                    target.value === 'owner'
                      ? setPromoting(member)
                      : void setRole(member, target.value as Role)
                  }
                >
                  {(['member', 'admin', 'owner'] as const).map((role) => (
                    <option key={role} value={role}>
                      {t.common.role[role]}
                    </option>
                  ))}
                </select>
              ) : (
                t.common.role[member.role]
              )}
            </td>
            <td className={styles.muted}>{date(member.joined_at)}</td>
            <td className={styles.end}>
              {isLive && member.role !== 'owner' && (isAdmin || isMe(member)) && (
                <Button
                  small
                  aria-label={isMe(member) ? undefined : `${t.common.remove}: ${member.email}`}
                  onClick={() => setRemoving(member)}
                >
                  {isMe(member) ? t.team.leave : t.common.remove}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {isAdmin && <Invites />}
      {isAdmin && (
        <Section title={t.team.settings} intro={t.team.settingsIntro}>
          <Settings team={me.team} />
        </Section>
      )}
      {removing !== null && (
        <ConfirmDialog
          title={isMe(removing) ? t.team.leave : t.common.remove}
          question={isMe(removing) ? t.team.leaveAsk : t.team.removeAsk(removing.email)}
          confirm={isMe(removing) ? t.team.leave : t.common.remove}
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(null)}
        />
      )}
      {promoting !== null && (
        <ConfirmDialog
          title={t.team.makeOwner}
          question={t.team.makeOwnerAsk(promoting.email)}
          confirm={t.team.makeOwner}
          onConfirm={() => setRole(promoting, 'owner')}
          onClose={() => setPromoting(null)}
        />
      )}
    </div>
  );
}
