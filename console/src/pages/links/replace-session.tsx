import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/problem';
import { meQuery, useMe } from '../../api/queries';
import { addTeam, signIn, useKey } from '../../api/session';
import { peopleEn } from '../../texts/team/people.en';
import { useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Button, Card, styles } from '../../ui/ui';
import { offeredKey } from './link-token';

/** Asks before the key of a link is used: what is entered afterwards goes to its team, which may be a stranger’s. */
export function ReplaceSession({ token: offered }: { token: string }) {
  const t = useTexts(peopleEn);
  const me = useMe();
  const other = useQuery(meQuery(offered));
  const team = other.data?.team;
  const isSignedIn = useKey() !== null;
  const use = () => {
    signIn(offered);
    offeredKey.set(null);
  };
  const isInvalid = other.error instanceof ApiError && other.error.status === 401;
  return (
    <Card>
      <h1>{team === undefined ? t.signIn.replaceTitle : t.signIn.replaceTeam(team.name)}</h1>
      <p>
        {me !== null
          ? t.signIn.replaceSession(me.team.name)
          : isSignedIn
            ? t.offeredKey.replaceHint
            : t.offeredKey.linkHint}
      </p>
      {isInvalid ? (
        <p role="alert">{t.offeredKey.invalid}</p>
      ) : (
        <ErrorNote error={other.error} onRetry={() => other.refetch()} />
      )}
      <div className={styles.row}>
        <Button variant="primary" disabled={team === undefined} onClick={use}>
          {t.signIn.submit}
        </Button>
        {me !== null && team !== undefined && team.id !== me.team.id && (
          <Button onClick={() => addTeam(offered, team.id, me.team)}>{t.signIn.replaceAdd}</Button>
        )}
        <Button onClick={() => offeredKey.set(null)}>
          {isSignedIn ? t.signIn.replaceNo : t.signIn.linkNo}
        </Button>
      </div>
    </Card>
  );
}
