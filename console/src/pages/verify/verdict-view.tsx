import type { Verdict } from '../../api/client';
import { useMe } from '../../api/queries';
import { outcomesEn } from '../../texts/outcomes.en';
import { useFormats, useTexts } from '../../texts/texts';
import { Badge, Button, Card, CopyButton, STATUS_SIGN, styles } from '../../ui/ui';
import { DomainPart } from './domain-part';
import { EvidenceSteps } from './evidence-steps';
import css from './verify.module.css';

/** Displays a verdict. All its texts are rendered as text, whatever they contain. */
export function VerdictView({ verdict, onTry }: { verdict: Verdict; onTry?: (email: string) => void }) {
  const t = useTexts(outcomesEn);
  const isSimulated = useMe()?.key.mode === 'test';
  const { percent } = useFormats();
  const share = (value: number) => percent(value, 1);
  const { status, reason, score, did_you_mean: suggestion, retry_after: retryAfter, estimate } = verdict;
  const [meaning = reason, advice = ''] = t.reason[reason] ?? [];
  const traits = Object.entries(verdict.checks).filter(([, value]) => value === true);
  return (
    <div className={styles.stack}>
      <section className={css.verdict} data-status={status} aria-label={t.status[status]}>
        <span className={css.sign} aria-hidden="true">
          {STATUS_SIGN[status]}
        </span>
        <div className={css.words}>
          <p className={css.email}>
            {verdict.email} <CopyButton text={verdict.email} label={t.verify.copyAddress} />
          </p>
          <p className={`${css.status} ${styles.row}`}>
            {t.status[status]}
            {isSimulated && <Badge tone="risky">{t.common.simulated}</Badge>}
          </p>
          {estimate !== null && (
            <p>
              {t.outcomes.estimate(share(estimate.deliverable), share(estimate.low), share(estimate.high))}
            </p>
          )}
          <p>{meaning}</p>
          <p className={css.advice}>{advice}</p>
          {retryAfter !== null && <p>{t.verify.retryAfter(Math.ceil(retryAfter / 60))}</p>}
          {suggestion !== null && (
            <p className={styles.row}>
              {t.verify.didYouMean}
              {onTry ? (
                <Button small onClick={() => onTry(suggestion)}>
                  {suggestion}
                </Button>
              ) : (
                <strong>{suggestion}</strong>
              )}
            </p>
          )}
          {traits.length > 0 && (
            <p className={styles.row}>
              {traits.map(([name]) => (
                <Badge key={name}>{t.verify.traits[name] ?? name}</Badge>
              ))}
            </p>
          )}
        </div>
        <div className={css.score}>
          <strong>{score}</strong>
          <meter
            min={0}
            max={100}
            low={35}
            high={75}
            optimum={100}
            value={score}
            aria-label={t.verify.scoreOf(score)}
          />
          <span className={styles.muted}>{t.verify.score}</span>
        </div>
      </section>
      <Card title={t.verify.evidence}>
        <EvidenceSteps verdict={verdict} />
        <p className={styles.muted}>
          {verdict.cached
            ? t.verify.cached(t.verify.age(verdict.age_seconds))
            : t.verify.took(verdict.duration_ms)}
        </p>
      </Card>
      {verdict.domain !== null && <DomainPart key={verdict.domain} domain={verdict.domain} />}
    </div>
  );
}
