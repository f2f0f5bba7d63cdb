import { useId } from 'react';
import { useTexts } from '../../texts/texts';
import { Button, Check, Field, styles } from '../../ui/ui';
import css from './policy.module.css';
import { CHOICES, labelOf, MEMBERS, type Conditions, type Member, policyTexts } from './rules';

/** A condition as it is edited. */
export interface Condition {
  member: Member;
  values: string[];
}

/** Separated by commas and white space, which no name has. */
export const valuesIn = (text: string) => text.split(/[\s,;]+/).filter((value) => value !== '');

/** Each member once. */
export function ConditionFields({
  title,
  empty,
  add,
  conditions,
  isChecked,
  onChange,
}: {
  title: string;
  empty?: string;
  add: string;
  conditions: readonly Condition[];
  /** Whether to say what is missing. */
  isChecked: boolean;
  onChange: (conditions: Condition[]) => void;
}) {
  const t = useTexts(policyTexts);
  const id = useId();
  const left = MEMBERS.filter((member) => !conditions.some((each) => each.member === member));
  const replace = (at: number, condition: Condition) =>
    onChange(conditions.map((each, n) => (n === at ? condition : each)));
  return (
    <fieldset className={`${styles.choice} ${css.conditions}`}>
      <legend>{title}</legend>
      {conditions.length === 0 && empty !== undefined && <p className={styles.muted}>{empty}</p>}
      {conditions.map((condition, n) => {
        const { member, values } = condition;
        const set = (next: string[]) => replace(n, { member, values: next });
        const name = t.policy.members[member];
        const errors =
          isChecked && values.length === 0
            ? [CHOICES[member] === undefined ? t.policy.enter : t.policy.choose]
            : [];
        return (
          <div key={member} className={css.condition}>
            <Field label={t.policy.condition}>
              {(props) => (
                <select
                  {...props}
                  value={member}
                  onChange={(event) => replace(n, { member: event.target.value as Member, values: [] })}
                >
                  {MEMBERS.filter((each) => each === member || left.includes(each)).map((each) => (
                    <option key={each} value={each}>
                      {t.policy.members[each]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <ValueField key={member} member={member} values={values} errors={errors} onChange={set} />
            <Button
              small
              aria-label={t.policy.removeCondition(name)}
              onClick={() => onChange(conditions.filter((_, at) => at !== n))}
            >
              ✕
            </Button>
          </div>
        );
      })}
      {left.length > 0 && (
        <div>
          <Button
            small
            id={id}
            onClick={() => onChange([...conditions, { member: left[0] ?? 'domain', values: [] }])}
          >
            {add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

interface ValueFieldProps {
  member: Member;
  values: string[];
  errors: string[];
  onChange: (values: string[]) => void;
}

function ValueField({ member, values, errors, onChange }: ValueFieldProps) {
  const t = useTexts(policyTexts);
  const choices = CHOICES[member];
  if (choices !== undefined)
    return (
      <div role="group" aria-label={t.policy.members[member]} className={css.choices}>
        {errors.map((text) => (
          <p key={text} className={styles.fieldError} role="alert">
            {text}
          </p>
        ))}
        {choices.map((value) => (
          <Check
            key={value}
            label={labelOf(t as Parameters<typeof labelOf>[0], member, value)}
            checked={values.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...values, value] : values.filter((each) => each !== value))
            }
          />
        ))}
      </div>
    );
  if (member === 'estimate_below')
    return (
      <Field label={t.policy.percent} errors={errors}>
        {(props) => (
          <input
            {...props}
            type="number"
            min={0}
            max={100}
            step={0.1}
            defaultValue={values[0] === undefined ? '' : round(Number(values[0]) * 100)}
            onChange={({ target }) =>
              onChange(target.value === '' ? [] : [String(target.valueAsNumber / 100)])
            }
          />
        )}
      </Field>
    );
  return (
    <Field label={t.policy.value} hint={t.policy.values} errors={errors}>
      {(props) => (
        <textarea
          {...props}
          rows={Math.min(6, Math.max(1, values.length))}
          spellCheck={false}
          defaultValue={values.join(values.length > 3 ? '\n' : ', ')}
          onChange={({ target }) => onChange(valuesIn(target.value))}
        />
      )}
    </Field>
  );
}

const round = (percent: number) => Math.round(percent * 1_000) / 1_000;

export function toConditions(conditions: readonly Condition[]): Conditions {
  return Object.fromEntries(
    conditions.map(({ member, values }) => [
      member,
      member === 'estimate_below' ? Number(values[0]) : values.length === 1 ? values[0] : values,
    ]),
  );
}
