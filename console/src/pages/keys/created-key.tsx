import type { Schemas } from '../../api/client';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { Button, Copy, styles } from '../../ui/ui';

/** What to paste into a page, for the widget of this service. */
const htmlOf = (key: string) =>
  `<script src="${window.location.origin}/rcpt.js" data-key="${key}" defer></script>\n` +
  `<input type="email" name="email" data-rcpt />`;

/** A new key, which is shown once; with the HTML for a publishable one. */
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
      <p>
        <strong>{t.common.shownOnce}</strong>
      </p>
      {key !== null && <Copy text={key} label={t.keys.key} />}
      {key !== null && kind === 'publishable' && (
        <>
          <p>{t.keys.htmlIntro}</p>
          <Copy text={htmlOf(key)} label="HTML" />
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
