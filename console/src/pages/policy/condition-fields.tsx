import { useId } from 'react';
import { useTexts } from '../../texts/texts';
import { Button, Field, styles } from '../../ui/ui';
import { ChoiceField } from './choice-field';
import css from './policy.module.css';
import { CHOICES, MEMBERS, type Conditions, type Match, type Member, policyTexts } from './rules';

/** A condition as it is edited. */
export interface Condition {
  member: Member;
  values: string[];
  /** Of properties. */
  match: Match;
}

/** Separated by commas and white space, which no name has. */
export const valuesIn = (text: string) => text.split(/[\s,;]+/).filter((value) => value !== '');

/** Each member once. */
export function ConditionFields({
  title,
  empty,
  add,
  conditions,
  canMatchAny = false,
  isChecked,
  onChange,
}: {
  title: string;
  empty?: string;
  add: string;
  conditions: readonly Condition[];
  /** Whether one of several properties may be enough. */
  canMatchAny?: boolean;
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
        const set = (next: string[]) => replace(n, { ...condition, values: next });
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
                  onChange={(event) => replace(n, newCondition(event.target.value as Member, canMatchAny))}
                >
                  {MEMBERS.filter((each) => each === member || left.includes(each)).map((each) => (
                    <option key={each} value={each}>
                      {t.policy.members[each]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <ValueField
              key={member}
              condition={condition}
              canMatchAny={canMatchAny}
              errors={errors}
              onChange={set}
              onMatch={(match) => replace(n, { ...condition, match })}
            />
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
            onClick={() => onChange([...conditions, newCondition(left[0] ?? 'domain', canMatchAny)])}
          >
            {add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

const newCondition = (member: Member, canMatchAny: boolean): Condition => ({
  member,
  values: [],
  match: canMatchAny ? 'any' : 'all',
});

interface ValueFieldProps {
  condition: Condition;
  canMatchAny: boolean;
  errors: string[];
  onChange: (values: string[]) => void;
  onMatch: (match: Match) => void;
}

function ValueField({ condition, canMatchAny, errors, onChange, onMatch }: ValueFieldProps) {
  const t = useTexts(policyTexts);
  const { member, values, match } = condition;
  const choices = CHOICES[member];
  if (choices !== undefined)
    return (
      <ChoiceField
        member={member}
        choices={choices}
        values={values}
        match={match}
        canMatchAny={canMatchAny}
        errors={errors}
        onChange={onChange}
        onMatch={onMatch}
      />
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
