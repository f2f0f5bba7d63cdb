import { useMutation } from '@tanstack/react-query';
import { api, data } from '../../api/client';
import { useMe } from '../../api/queries';
import { signIn } from '../../api/session';
import { useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Button, Card, styles } from '../../ui/ui';
import { signInToken } from './link-token';

/**
 * Exchanges the token of a sign-in link for a key. It requires a click, because programs that check links
 * may run scripts too, and would use the link up. A session of the tab stays until then.
 */
export function LinkSignIn({ token }: { token: string }) {
  const t = useTexts();
  const me = useMe();
  const exchange = useMutation({
    mutationFn: (team: string | null) =>
      data(api.POST('/signin/confirm', { body: { token, ...(team !== null && { team_id: team }) } })),
    onSuccess: ({ key }) => {
      const given = key?.key ?? null;
      if (given === null) return;
      signIn(given);
      signInToken.set(null);
    },
  });
  const teams = exchange.data?.key === null ? exchange.data.teams : null;
  return (
    <Card>
      <h1>{t.signIn.title}</h1>
      {teams === null ? (
        <>
          <p className={styles.muted}>{t.signIn.linkIntro}</p>
          {me !== null && <p>{t.signIn.linkReplaces(me.team.name)}</p>}
          <Button variant="primary" disabled={exchange.isPending} onClick={() => exchange.mutate(null)}>
            {exchange.isPending ? t.common.working : t.signIn.submit}
          </Button>
        </>
      ) : (
        <>
          <p>{t.signIn.chooseTeam}</p>
          <ul className={styles.stack}>
            {teams.map(({ id, name, role }) => (
              <li key={id}>
                <Button disabled={exchange.isPending} onClick={() => exchange.mutate(id)}>
                  {name} · {t.common.role[role]}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      <ErrorNote error={exchange.error} />
      <div>
        <Button variant="quiet" small onClick={() => signInToken.set(null)}>
          {me === null ? t.signIn.otherWay : t.signIn.replaceNo}
        </Button>
      </div>
    </Card>
  );
}
