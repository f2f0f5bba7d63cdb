import { useMutation } from '@tanstack/react-query';
import { api, data, type Me } from '../../api/client';
import { addTeam, liveKey } from '../../api/session';
import { peopleEn } from '../../texts/team/people.en';
import { useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Button, styles } from '../../ui/ui';

/** The user of the session joins, and the session opens the team. */
export function JoinAsMember({
  token,
  me,
  email,
  onLeave,
}: {
  token: string;
  me: Me;
  /** Of the invite. */
  email: string;
  onLeave: () => void;
}) {
  const t = useTexts(peopleEn);
  const join = useMutation({
    mutationFn: () => {
      const headers = { Authorization: `Bearer ${liveKey() ?? ''}` };
      return data(api.POST('/v1/invites/accept', { body: { token }, headers }));
    },
    onSuccess: ({ team, key }) => {
      const given = key?.key ?? null;
      if (given === null) return;
      onLeave();
      addTeam(given, team.id, me.team);
    },
  });
  if (join.data !== undefined)
    return (
      <>
        <p role="status">{t.invite.isMember}</p>
        <div>
          <Button onClick={onLeave}>{t.invite.proceed}</Button>
        </div>
      </>
    );
  const own = me.user?.email;
  return (
    <>
      {own === undefined ? <p>{t.invite.noUser}</p> : <p>{t.invite.joinAs(own, me.team.name)}</p>}
      {own !== undefined && own.toLowerCase() !== email.toLowerCase() && (
        <p className={styles.muted}>{t.invite.otherAddress(email)}</p>
      )}
      {liveKey() === null && <p>{t.invite.noLiveKey}</p>}
      <ErrorNote error={join.error} />
      <div className={styles.row}>
        <Button
          variant="primary"
          disabled={join.isPending || own === undefined || liveKey() === null}
          onClick={() => join.mutate()}
        >
          {join.isPending ? t.common.working : t.signIn.accept}
        </Button>
        <Button onClick={onLeave}>{t.invite.notNow}</Button>
      </div>
    </>
  );
}
