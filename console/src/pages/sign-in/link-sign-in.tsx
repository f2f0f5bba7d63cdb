import { useMutation } from '@tanstack/react-query';
import { api, data } from '../../api/client';
import { signIn } from '../../api/session';
import { useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/answers';
import { Button, Card, styles } from '../../ui/ui';
import { signInToken } from './link-token';

/**
 * Exchanges the token of a sign-in link for a key. It requires a click, because programs that check links
 * may run scripts too, and would use the link up.
 */
export function LinkSignIn({ token, onKey }: { token: string; onKey: () => void }) {
  const t = useTexts();
  const exchange = useMutation({
    mutationFn: (team: string | null) =>
      data(api.POST('/signin/confirm', { body: { token, ...(team !== null && { team_id: team }) } })),
    onSuccess: ({ key }) => {
      const given = key?.key ?? null;
      if (given === null) return;
      signInToken.clear();
      signIn(given);
    },
  });
  const teams = exchange.data?.key === null ? exchange.data.teams : null;
  return (
    <Card>
      <h1>{t.signIn.title}</h1>
      {teams === null ? (
        <>
          <p className={styles.muted}>{t.signIn.linkIntro}</p>
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
                  {name} · {t.team.role[role]}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      <ErrorNote error={exchange.error} />
      <div>
        <Button
          variant="quiet"
          small
          onClick={() => {
            signInToken.clear();
            onKey();
          }}
        >
          {t.signIn.otherWay}
        </Button>
      </div>
    </Card>
  );
}
