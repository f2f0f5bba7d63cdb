import { signIn } from '../../api/session';
import { useTexts } from '../../texts/texts';
import { Button, Card, Copy } from '../../ui/ui';

/** The first key of a new user, which is shown once. */
export function NewKey({
  apiKey,
  note,
  onProceed,
}: {
  apiKey: string;
  note?: string;
  /** After the sign-in. */
  onProceed?: () => void;
}) {
  const t = useTexts();
  const proceed = () => {
    signIn(apiKey);
    onProceed?.();
  };
  return (
    <Card>
      <h1>{t.signIn.newKeyTitle}</h1>
      {note !== undefined && <p role="status">{note}</p>}
      <p>
        {t.signIn.newKeyIntro} <strong>{t.common.shownOnce}</strong>
      </p>
      <Copy text={apiKey} label={t.signIn.key} />
      <Button variant="primary" onClick={proceed}>
        {t.signIn.proceed}
      </Button>
    </Card>
  );
}
