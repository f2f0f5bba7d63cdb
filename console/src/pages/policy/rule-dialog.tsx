import { useState, type FormEvent } from 'react';
import { randomId } from '../../api/random-id';
import { policyEn } from '../../texts/policy.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { formText } from '../../ui/form-text';
import { Button, Field, styles } from '../../ui/ui';
import { ConditionFields, toConditions, type Condition } from './condition-fields';
import { DECISIONS, MEMBERS, valuesOf, type Conditions, type PolicyRule } from './rules';

const conditionsOf = (conditions: Conditions | null): Condition[] =>
  MEMBERS.map((member) => ({ member, values: valuesOf(conditions?.[member]) })).filter(
    ({ values }) => values.length > 0,
  );

/** Edits a rule of the draft. @param rule null: a new one. */
export function RuleDialog({
  rule,
  onApply,
  onClose,
}: {
  rule: PolicyRule | null;
  onApply: (rule: PolicyRule) => void;
  onClose: () => void;
}) {
  const t = useTexts(policyEn);
  const [when, setWhen] = useState(() =>
    rule === null ? [{ member: 'domain_suffix' as const, values: [] }] : conditionsOf(rule.when),
  );
  const [unless, setUnless] = useState(() => conditionsOf(rule?.unless ?? null));
  const [isChecked, setIsChecked] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsChecked(true);
    if ([...when, ...unless].some(({ values }) => values.length === 0)) return;
    const form = event.currentTarget;
    const day = formText(form, 'until');
    const isSameDay = day !== '' && rule?.expires_at?.startsWith(day) === true;
    onApply({
      id: rule?.id ?? `rule_${randomId()}`,
      when: toConditions(when),
      unless: unless.length === 0 ? null : toConditions(unless),
      decision: formText(form, 'decision') as PolicyRule['decision'],
      note: formText(form, 'note') || null,
      // An end that was set elsewhere may have a time.
      expires_at: isSameDay ? rule.expires_at : day === '' ? null : `${day}T00:00:00Z`,
    });
    onClose();
  };
  return (
    <Dialog title={rule === null ? t.policy.newRule : t.policy.editRule} isPanel onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <Field label={t.policy.decision}>
          {(props) => (
            <select {...props} name="decision" defaultValue={rule?.decision ?? 'reject'}>
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
          conditions={when}
          isChecked={isChecked}
          onChange={setWhen}
        />
        <ConditionFields
          title={t.policy.unless}
          add={t.policy.addException}
          conditions={unless}
          isChecked={isChecked}
          onChange={setUnless}
        />
        <Field label={`${t.policy.note} (${t.common.optional})`} hint={t.policy.noteHint}>
          {(props) => <input {...props} name="note" maxLength={200} defaultValue={rule?.note ?? ''} />}
        </Field>
        <Field label={`${t.policy.until} (${t.common.optional})`} hint={t.policy.untilHint}>
          {(props) => (
            <input {...props} name="until" type="date" defaultValue={rule?.expires_at?.slice(0, 10) ?? ''} />
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
