import type { Schemas } from '../../api/client';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { Button, Copy, styles } from '../../ui/ui';
import { FormHtml } from './form-html';

/** A new key: a secret one is shown once, a publishable one with the HTML of a form. */
export function CreatedKey({
  created: { key, kind },
  onClose,
}: {
  created: Schemas['NewKey'];
  onClose: () => void;
}) {
  const t = useTexts(teamEn);
  return (
    <Dialog title={t.keys.ready} isKept onClose={onClose}>
      {kind === 'secret' && (
        <p>
          <strong>{t.common.shownOnce}</strong>
        </p>
      )}
      {key !== null && <Copy text={key} label={t.keys.key} />}
      {key !== null && kind === 'publishable' && (
        <>
          <p>{t.keys.htmlIntro}</p>
          <FormHtml apiKey={key} />
        </>
      )}
      <div className={styles.actions}>
        <Button variant="primary" onClick={onClose}>
          {t.common.close}
        </Button>
      </div>
    </Dialog>
  );
}
