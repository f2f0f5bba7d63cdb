import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Me } from '../../api/client';
import { stepsEn } from '../../texts/steps.en';
import { useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Button, Card, styles } from '../../ui/ui';
import css from './first-steps.module.css';
import { loadSteps, type Step, type StepName } from './steps';

const LINKS: Record<StepName, LinkProps> = {
  verify: { to: '/' },
  port25: { to: '/system', hash: 'checks' },
  key: { to: '/keys', search: { new: 'secret' } },
  webhook: { to: '/webhooks' },
  form: { to: '/keys', search: { new: 'publishable' } },
};

interface FirstStepsProps {
  me: Me;
  /** When the latest address was verified: it may have completed a step. */
  latest: string | undefined;
  /** Called when the user hides them, and when all are done. */
  onEnd: () => void;
}

/** Until all are done or the user hides them. */
export function FirstSteps({ me, latest, onEnd }: FirstStepsProps) {
  const t = useTexts(stepsEn);
  const client = useQueryClient();
  const [isHidden, setIsHidden] = useState(false);
  const query = useQuery({
    queryKey: ['first-steps', latest],
    queryFn: () => loadSteps(me, client),
    placeholderData: keepPreviousData,
    // Another page may have completed a step a moment ago.
    staleTime: 0,
  });
  const steps = query.data;
  const done = steps?.filter(({ isDone }) => isDone).length;
  const isComplete = steps !== undefined && done === steps.length;
  useEffect(() => {
    if (isComplete) onEnd();
  }, [isComplete, onEnd]);
  if (isComplete || isHidden) return null;
  if (steps === undefined || done === undefined)
    return <ErrorNote error={query.error} onRetry={() => query.refetch()} />;
  const hide = () => {
    setIsHidden(true);
    onEnd();
    focusAddress();
  };
  return (
    <Card
      title={t.steps.title}
      action={
        <Button small variant="quiet" onClick={hide}>
          {t.steps.hide}
        </Button>
      }
    >
      <p className={styles.muted}>{t.steps.intro(done, steps.length)}</p>
      <ol className={styles.stack}>
        {steps.map((step) => (
          <StepLine key={step.name} {...step} />
        ))}
      </ol>
    </Card>
  );
}

function StepLine({ name, isDone }: Step) {
  const t = useTexts(stepsEn);
  const { name: text, hint } = t.steps[name];
  return (
    <li className={css.step}>
      <span className={css.sign} data-done={isDone}>
        <span aria-hidden="true">{isDone && '✓'}</span>
        <span className={styles.visuallyHidden}>{isDone ? t.steps.done : t.steps.toDo}</span>
      </span>
      <div>
        <Link {...LINKS[name]} onClick={name === 'verify' ? focusAddress : undefined}>
          {text}
        </Link>
        <p className={styles.muted}>{hint}</p>
      </div>
    </li>
  );
}

const focusAddress = () => document.getElementById('address')?.focus();
