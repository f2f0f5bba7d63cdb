import { useQuery } from '@tanstack/react-query';
import { BASE } from '../../api/connection';
import type { Me } from '../../api/client';
import { useMe } from '../../api/queries';
import { signIn } from '../../api/session';
import { useTexts } from '../../texts/texts';
import { Button, Card, styles } from '../../ui/ui';
import { offeredKey } from './link-token';

/** Asks before the key of a link replaces the session of this tab. */
export function ReplaceSession({ offered, onDone }: { offered: string; onDone: () => void }) {
  const t = useTexts();
  const me = useMe();
  const other = useQuery({ queryKey: ['me', offered], queryFn: () => whoIs(offered), retry: false });
  const end = (isAccepted: boolean) => {
    offeredKey.clear();
    if (isAccepted) signIn(offered);
    onDone();
  };
  const team = other.data?.team.name;
  return (
    <Card>
      <h1>{team === undefined ? t.signIn.replaceTitle : t.signIn.replaceTeam(team)}</h1>
      <p>{me === null ? t.signIn.replaceHint : t.signIn.replaceSession(me.team.name)}</p>
      {other.isError && <p role="alert">{t.signIn.replaceInvalid}</p>}
      <div className={styles.row}>
        <Button variant="primary" disabled={team === undefined} onClick={() => end(true)}>
          {t.signIn.submit}
        </Button>
        <Button onClick={() => end(false)}>{t.signIn.replaceNo}</Button>
      </div>
    </Card>
  );
}

async function whoIs(key: string): Promise<Me> {
  const response = await fetch(`${BASE}v1/me`, { headers: { Authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`The key is refused with ${response.status}`);
  return (await response.json()) as Me;
}
