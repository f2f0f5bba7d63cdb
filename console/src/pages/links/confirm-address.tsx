import { useMutation } from '@tanstack/react-query';
import { api, data } from '../../api/client';
import { peopleEn } from '../../texts/team/people.en';
import { useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Button, Card, styles } from '../../ui/ui';
import { useTitle } from '../../ui/use-title';
import { NewKey } from '../sign-in/new-key';
import { confirmToken } from './link-token';

/** Confirms the address of a sign-up, and shows the live key. */
export function ConfirmAddress({ token }: { token: string }) {
  const t = useTexts(peopleEn);
  useTitle(t.confirm.title);
  const confirm = useMutation({
    mutationFn: () => data(api.POST('/signup/confirm', { body: { token } })),
  });
  const key = confirm.data?.key.key ?? null;
  if (key !== null)
    return <NewKey apiKey={key} note={t.confirm.done} onProceed={() => confirmToken.set(null)} />;
  return (
    <Card>
      <h1>{t.confirm.title}</h1>
      <p>{t.confirm.intro}</p>
      <ErrorNote error={confirm.error} />
      <div className={styles.row}>
        <Button variant="primary" disabled={confirm.isPending} onClick={() => confirm.mutate()}>
          {confirm.isPending ? t.common.working : t.confirm.submit}
        </Button>
        <Button variant="quiet" onClick={() => confirmToken.set(null)}>
          {t.confirm.no}
        </Button>
      </div>
    </Card>
  );
}
