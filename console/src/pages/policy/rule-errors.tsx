import { ApiError } from '../../api/problem';
import { policyEn } from '../../texts/policy.en';
import { useTexts } from '../../texts/texts';
import { styles } from '../../ui/ui';
import { valuesOf, type Conditions, type Member, type PolicyRule } from './rules';

/** What is wrong with values of rules, in the language of the reader. */
export function RuleErrors({ error, rules }: { error: Error | null; rules: readonly PolicyRule[] }) {
  const t = useTexts(policyEn);
  const errors = error instanceof ApiError ? (error.problem.errors ?? []) : [];
  const texts = errors.flatMap(({ pointer }) => {
    const [, root, position, part, member, index = '0'] = pointer.split('/');
    const rule = rules[Number(position)];
    const name = t.policy.members[member as Member];
    if (root !== 'rules' || rule === undefined || name === undefined) return [];
    const conditions: Conditions | null = part === 'unless' ? rule.unless : rule.when;
    const value = valuesOf(conditions?.[member as Member])[Number(index)] ?? '';
    return [t.policy.invalid(Number(position) + 1, name, value)];
  });
  if (texts.length === 0) return null;
  return (
    <div className={styles.fieldError} role="alert">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}
