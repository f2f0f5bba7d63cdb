import { useState } from 'react';
import { STATUS_OF_REASON } from '../../api/constants';
import { useTexts } from '../../texts/texts';
import { Check, Field, styles } from '../../ui/ui';
import css from './policy.module.css';
import { labelOf, type Match, type Member, policyTexts } from './rules';

/** More choices than this have a field that filters them. */
const FEW = 10;

/** Values that are known, as boxes. Properties are true together or one by one, of anything else one is. */
export function ChoiceField({
  member,
  choices,
  values,
  match,
  canMatchAny,
  errors,
  onChange,
  onMatch,
}: {
  member: Member;
  choices: readonly string[];
  values: readonly string[];
  match: Match;
  /** Of properties: whether one may be enough. */
  canMatchAny: boolean;
  errors: readonly string[];
  onChange: (values: string[]) => void;
  onMatch: (match: Match) => void;
}) {
  const t = useTexts(policyTexts);
  const [filter, setFilter] = useState('');
  const name = t.policy.members[member];
  const labelled = choices.map((value) => ({
    value,
    label: labelOf(t as Parameters<typeof labelOf>[0], member, value),
  }));
  const found = labelled.filter(({ label }) => label.toLowerCase().includes(filter.trim().toLowerCase()));
  const box = ({ value, label }: { value: string; label: string }) => (
    <Check
      key={value}
      label={label}
      checked={values.includes(value)}
      onChange={({ target }) =>
        onChange(target.checked ? [...values, value] : values.filter((each) => each !== value))
      }
    />
  );
  return (
    <div role="group" aria-label={name} className={css.choices}>
      {errors.map((text) => (
        <p key={text} className={styles.fieldError} role="alert">
          {text}
        </p>
      ))}
      {member === 'checks' && canMatchAny ? (
        <Field label={t.policy.match}>
          {(props) => (
            <select {...props} value={match} onChange={({ target }) => onMatch(target.value as Match)}>
              <option value="any">{t.policy.anyOf}</option>
              <option value="all">{t.policy.allOf}</option>
            </select>
          )}
        </Field>
      ) : (
        <p className={styles.muted}>{member === 'checks' ? t.policy.allOf : t.policy.anyOf}</p>
      )}
      {choices.length > FEW && (
        <Field label={t.policy.filter}>
          {(props) => (
            <input
              {...props}
              type="search"
              value={filter}
              onChange={({ target }) => setFilter(target.value)}
              // Enter would store the rule.
              onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            />
          )}
        </Field>
      )}
      {member !== 'reason'
        ? found.map(box)
        : STATUSES.map((status) => {
            const ofStatus = found.filter(({ value }) => STATUS_OF_REASON[value as Reason] === status);
            if (ofStatus.length === 0) return null;
            return (
              <div key={status} role="group" aria-label={t.status[status]} className={css.group}>
                <p>{t.status[status]}</p>
                {ofStatus.map(box)}
              </div>
            );
          })}
      {found.length === 0 && <p className={styles.muted}>{t.policy.noChoice}</p>}
    </div>
  );
}

type Reason = keyof typeof STATUS_OF_REASON;
const STATUSES = ['undeliverable', 'risky', 'unknown', 'deliverable'] as const;
