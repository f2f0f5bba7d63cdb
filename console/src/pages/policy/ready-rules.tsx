import { randomId } from '../../api/random-id';
import { useLanguage, useTexts, type Texts } from '../../texts/texts';
import { Button } from '../../ui/ui';
import css from './policy.module.css';
import { sentenceOf, type PolicyRule, policyTexts } from './rules';

/** What most teams want first. */
const READY: readonly Pick<PolicyRule, 'when' | 'decision'>[] = [
  { when: { checks: 'disposable' }, decision: 'reject' },
  { when: { checks: 'role' }, decision: 'review' },
  { when: { checks: 'catch_all' }, decision: 'review' },
];

/** Rules that are added with one press, each as its sentence. */
export function ReadyRules({ onAdd }: { onAdd: (rule: PolicyRule) => void }) {
  const t = useTexts(policyTexts);
  const language = useLanguage();
  return (
    <>
      <p>{t.policy.ready}</p>
      <div className={css.ready}>
        {READY.map(({ when, decision }) => {
          const rule = {
            id: `rule_${randomId()}`,
            when,
            unless: null,
            decision,
            note: null,
            expires_at: null,
          };
          return (
            <Button key={String(when.checks)} small onClick={() => onAdd(rule)}>
              {sentenceOf(t as Texts, language, rule)}
            </Button>
          );
        })}
      </div>
    </>
  );
}
