import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { BASE } from '../../api/connection';
import { ApiError } from '../../api/problem';
import { useIsLive, useMay } from '../../api/queries';
import { policyEn } from '../../texts/policy.en';
import { useFormats, useTexts } from '../../texts/texts';
import { PageHead } from '../../ui/page-head';
import { ErrorNote, QueryResult } from '../../ui/query-result';
import { Button, Card, Empty, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';
import { useNewInAddress } from '../../ui/use-new';
import { useTitle } from '../../ui/use-title';
import { Preview, PreviewLine } from './preview';
import { ReadyRules } from './ready-rules';
import { RuleDialog } from './rule-dialog';
import { RuleErrors } from './rule-errors';
import { RuleList } from './rule-list';
import { policyQuery, type PolicyRule } from './rules';
import { usePreview } from './use-preview';

/** Rules that are not stored, and the version that they change. */
interface Draft {
  rules: PolicyRule[];
  etag: string;
}

export function PolicyPage() {
  const t = useTexts(policyEn);
  useTitle(t.policy.title);
  const query = useQuery(policyQuery);
  return (
    <div className={styles.stack}>
      <PageHead title={t.policy.title} intro={t.policy.intro} />
      <QueryResult query={query}>{({ policy, etag }) => <Rules policy={policy} etag={etag} />}</QueryResult>
      <p>
        <a href={`${BASE}docs`} target="_blank" rel="noreferrer">
          {t.policy.docs}
        </a>
      </p>
    </div>
  );
}

function Rules({ policy, etag }: { policy: Schemas['Policy']; etag: string }) {
  const t = useTexts(policyEn);
  const { time } = useFormats();
  const isAdmin = useMay('admin');
  const isLive = useIsLive();
  const isEditable = isAdmin && isLive;
  const [draft, setDraft] = useState<Draft | null>(null);
  /** null: a new one; undefined: no dialog. */
  const [edited, setEdited] = useState<PolicyRule | null | undefined>(undefined);
  useNewInAddress(() => isEditable && setEdited(null));
  const save = useApiMutation(
    ({ rules, etag: expected }: Draft) =>
      data(api.PUT('/v1/policy', { params: { header: { 'If-Match': expected } }, body: { rules } })),
    [['policy']],
  );
  const [days, setDays] = useState(7);
  const preview = usePreview(draft?.rules ?? null, days);
  // One that stands already is not said twice.
  const error = save.error ?? preview.error;
  useAskBeforeLeaving(draft !== null);
  const rules = draft?.rules ?? policy.rules;
  const change = (next: PolicyRule[]) => {
    save.reset();
    setDraft((before) => ({ rules: next, etag: before?.etag ?? etag }));
  };
  const apply = (made: PolicyRule[]) =>
    change(
      edited === null
        ? [...rules, ...made]
        : rules.flatMap((each) => (each.id === edited?.id ? made : [each])),
    );
  const discard = () => {
    save.reset();
    setDraft(null);
  };
  const store = async (next: Draft) => {
    try {
      await save.mutateAsync(next);
      setDraft(null);
    } catch {
      // Shown below.
    }
  };
  const isConflict = save.error instanceof ApiError && save.error.status === 412;
  return (
    <>
      <Card
        title={t.policy.rules}
        action={
          isEditable && (
            <Button variant="primary" onClick={() => setEdited(null)}>
              {t.policy.add}
            </Button>
          )
        }
      >
        {!isEditable && <p className={styles.muted}>{isAdmin ? t.policy.liveOnly : t.policy.readOnly}</p>}
        {rules.length === 0 ? (
          <Empty icon="choose" title={t.policy.emptyTitle}>
            <p>{t.policy.empty}</p>
            {isEditable && <ReadyRules onAdd={(rule) => change([rule])} />}
          </Empty>
        ) : (
          <RuleList rules={rules} isEditable={isEditable} onEdit={setEdited} onChange={change} />
        )}
        {policy.updated_at !== null && draft === null && (
          <p className={styles.muted} role="status">
            {save.isSuccess ? t.policy.saved : t.policy.lastChange(time(policy.updated_at))}
          </p>
        )}
        {draft !== null && (
          <>
            {isConflict ? (
              <div className={styles.error} role="alert">
                <strong>{t.policy.conflict}</strong>
                <div className={styles.row}>
                  <Button small onClick={discard}>
                    {t.policy.takeTheirs}
                  </Button>
                  <Button small onClick={() => store({ ...draft, etag })}>
                    {t.policy.keepMine}
                  </Button>
                </div>
              </div>
            ) : (
              <>
                <RuleErrors error={error} rules={rules} />
                <ErrorNote error={error} />
              </>
            )}
            <div className={`${styles.row} ${styles.between}`}>
              <PreviewLine preview={preview} />
              <div className={styles.row}>
                <Button onClick={discard}>{t.policy.discard}</Button>
                <Button variant="primary" onClick={() => store(draft)} disabled={save.isPending}>
                  {save.isPending ? t.common.working : t.common.save}
                </Button>
              </div>
            </div>
          </>
        )}
      </Card>
      {draft !== null && <Preview preview={preview} days={days} onDays={setDays} />}
      {edited !== undefined && (
        <RuleDialog rule={edited} onApply={apply} onClose={() => setEdited(undefined)} />
      )}
    </>
  );
}

function useAskBeforeLeaving(isChanged: boolean): void {
  const t = useTexts(policyEn);
  const { history } = useRouter();
  useEffect(() => {
    if (!isChanged) return;
    return history.block({ blockerFn: () => !window.confirm(t.policy.leave), enableBeforeUnload: true });
  }, [isChanged, history, t]);
}
