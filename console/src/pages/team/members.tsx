import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { useIsLive, useMay, useMe } from '../../api/queries';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { Section } from '../../ui/page-head';
import { ErrorNote } from '../../ui/query-result';
import { Button, Table, styles } from '../../ui/ui';
import { useNewInAddress } from '../../ui/use-new';
import { InviteDialog, ResendDialog } from './invite-dialog';
import { InviteRow, useInvites } from './invite-rows';
import { MemberRow } from './member-row';
import { RoleChanged, type ChangedRole } from './role-change';
import { Settings } from './settings';

/** Members and those who are invited. */
export function Members() {
  const t = useTexts(teamEn);
  const me = useMe();
  const isLive = useIsLive();
  const isAdmin = useMay('admin') && isLive;
  const invites = useInvites(isAdmin);
  const [resent, setResent] = useState<Schemas['Invite'] | null>(null);
  const [isInviting, setIsInviting] = useState(false);
  useNewInAddress(() => isAdmin && me !== null && me.user !== null && setIsInviting(true));
  const [changed, setChanged] = useState<ChangedRole | null>(null);
  if (me === null) return null;
  return (
    <div className={styles.stack}>
      {isAdmin && me.user !== null && (
        <div className={styles.row}>
          <Button variant="primary" onClick={() => setIsInviting(true)}>
            {t.team.invite}
          </Button>
        </div>
      )}
      <ErrorNote error={invites.error} onRetry={() => invites.refetch()} />
      <RoleChanged changed={changed} onChange={setChanged} />
      <Table
        label={t.team.tabs.members}
        head={[t.team.inviteEmail, t.team.roleLabel, t.team.joined, t.team.lastActive, '']}
      >
        {me.team.members.map((member) => (
          <MemberRow key={member.id} me={me} member={member} onRole={setChanged} />
        ))}
        {invites.data?.data.map((invite) => (
          <InviteRow key={invite.id} invite={invite} onResend={() => setResent(invite)} />
        ))}
      </Table>
      {isAdmin && (
        <Section title={t.team.settings} intro={t.team.settingsIntro}>
          <Settings team={me.team} />
        </Section>
      )}
      {resent !== null && <ResendDialog invite={resent} onClose={() => setResent(null)} />}
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} />}
    </div>
  );
}
