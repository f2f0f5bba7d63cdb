import { useMemo, useRef, useState, type FormEvent } from 'react';
import { useLanguage, useTexts, type Texts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { Button, Field, styles } from '../../ui/ui';
import { ConditionFields } from './condition-fields';
import { draftOf, isComplete, rulesOf, type RuleDraft } from './rule-draft';
import { DECISIONS, policyTexts, sentenceOf, type PolicyRule } from './rules';

/** Edits a rule of the draft. @param rule null: a new one. */
export function RuleDialog({
  rule,
  onApply,
  onClose,
}: {
  rule: PolicyRule | null;
  /** @param rules several where one of several properties is enough. */
  onApply: (rules: PolicyRule[]) => void;
  onClose: () => void;
}) {
  const t = useTexts(policyTexts);
  const first = useMemo(() => draftOf(rule), [rule]);
  const [draft, setDraft] = useState(first);
  const [isChecked, setIsChecked] = useState(false);
  const isApplied = useRef(false);
  const change = (members: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...members }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (!isComplete(draft)) return;
    isApplied.current = true;
    onApply(rulesOf(draft, rule));
    onClose();
  };
  const mayClose = () =>
    isApplied.current ||
    JSON.stringify(draft) === JSON.stringify(first) ||
    window.confirm(t.policy.leaveRule);
  return (
    <Dialog
      title={rule === null ? t.policy.newRule : t.policy.editRule}
      isPanel
      mayClose={mayClose}
      onClose={onClose}
    >
      <form className={styles.form} onSubmit={submit}>
        <Field label={t.policy.decision}>
          {(props) => (
            <select
              {...props}
              value={draft.decision}
              onChange={({ target }) => change({ decision: target.value as PolicyRule['decision'] })}
            >
              {DECISIONS.map((each) => (
                <option key={each} value={each}>
                  {t.policy.decisions[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <ConditionFields
          title={t.policy.when}
          empty={t.policy.everything}
          add={t.policy.addCondition}
          conditions={draft.when}
          canMatchAny
          isChecked={isChecked}
          onChange={(when) => change({ when })}
        />
        <ConditionFields
          title={t.policy.unless}
          add={t.policy.addException}
          conditions={draft.unless}
          isChecked={isChecked}
          onChange={(unless) => change({ unless })}
        />
        <Sentences draft={draft} />
        <Field label={`${t.policy.note} (${t.common.optional})`} hint={t.policy.noteHint}>
          {(props) => (
            <input
              {...props}
              maxLength={200}
              value={draft.note}
              onChange={({ target }) => change({ note: target.value })}
            />
          )}
        </Field>
        <Field label={`${t.policy.until} (${t.common.optional})`} hint={t.policy.untilHint}>
          {(props) => (
            <input
              {...props}
              type="date"
              value={draft.until}
              onChange={({ target }) => change({ until: target.value })}
            />
          )}
        </Field>
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" variant="primary">
            {t.policy.apply}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What the form says, as the list of rules will say it. */
function Sentences({ draft }: { draft: RuleDraft }) {
  const t = useTexts(policyTexts);
  const language = useLanguage();
  const rules = isComplete(draft) ? rulesOf(draft, null) : [];
  return (
    <div role="status">
      {rules.length > 1 && <p className={styles.muted}>{t.policy.severalRules(rules.length)}</p>}
      {rules.map((each) => (
        <p key={each.id}>
          <bdi>{sentenceOf(t as Texts, language, each)}</bdi>
        </p>
      ))}
    </div>
  );
}
