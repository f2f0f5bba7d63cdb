import type { Schemas } from '../../api/client';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { Button, styles } from '../../ui/ui';
import { FormHtml } from './form-html';

/** The HTML of a form for a publishable key. */
export function HtmlDialog({ apiKey, onClose }: { apiKey: Schemas['Key']; onClose: () => void }) {
  const t = useTexts(teamEn);
  return (
    <Dialog title={t.keys.html} onClose={onClose}>
      <p>{t.keys.htmlIntro}</p>
      <FormHtml apiKey={apiKey.key ?? ''} />
      <div className={styles.actions}>
        <Button variant="primary" onClick={onClose}>
          {t.common.close}
        </Button>
      </div>
    </Dialog>
  );
}
