import { BASE } from '../../api/connection';
import { peopleEn } from '../../texts/team/people.en';
import { useTexts } from '../../texts/texts';
import { Button, Card, styles } from '../../ui/ui';
import { refusal } from './link-token';

/** @param token the code of the refusal. A link can hold any text, so that only known ones are shown. */
export function Refused({ token: code }: { token: string }) {
  const t = useTexts(peopleEn);
  const reasons: Readonly<Record<string, string>> = t.refused.reasons;
  return (
    <Card>
      <h1>{t.refused.title}</h1>
      <p role="alert">{Object.hasOwn(reasons, code) ? reasons[code] : t.refused.unknown}</p>
      <div className={styles.row}>
        {/* Leaves the console: the refusal must not be there when the person is back. */}
        <a className={styles.button} href={`${BASE}signin/oidc`} onClick={() => refusal.set(null)}>
          {t.refused.again}
        </a>
        <Button variant="quiet" onClick={() => refusal.set(null)}>
          {t.signIn.otherWay}
        </Button>
      </div>
    </Card>
  );
}
