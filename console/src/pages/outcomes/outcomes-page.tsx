import { BASE } from '../../api/connection';
import { outcomesEn } from '../../texts/outcomes.en';
import { useTexts } from '../../texts/texts';
import { PageHead } from '../../ui/page-head';
import { Card, Copy, styles } from '../../ui/ui';
import { Accuracy } from './accuracy';
import { Sources } from './sources';
import { useTitle } from '../../ui/use-title';

const COMMAND = `export RCPT_URL=${location.origin} RCPT_API_KEY=rcpt_live_…
rcpt outcomes import bounces.csv
rcpt outcomes import ~/Maildir
rcpt outcomes import - < bounce.eml`;

export function OutcomesPage() {
  const t = useTexts(outcomesEn);
  useTitle(t.outcomes.title);
  return (
    <div className={styles.stack}>
      <PageHead title={t.outcomes.title} intro={t.outcomes.intro} />
      <Sources />
      <Accuracy />
      <Card title={t.outcomes.report}>
        <p>{t.outcomes.reportHint}</p>
        <Copy text={COMMAND} label={t.outcomes.report} />
        <p className={styles.muted}>{t.outcomes.command}</p>
        <p>
          <a href={`${BASE}docs`} target="_blank" rel="noreferrer">
            {t.outcomes.docs}
          </a>
        </p>
      </Card>
    </div>
  );
}
