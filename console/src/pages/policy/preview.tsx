import { useState } from 'react';
import { api, data } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { useApiMutation } from '../../ui/use-api-mutation';
import { Button, Card, Field, styles, Table } from '../../ui/ui';
import { RuleErrors } from './rule-errors';
import { DECISIONS, type PolicyRule, policyTexts } from './rules';

const DAYS = [7, 30];

/** What the rules of the draft would change in stored results. */
export function Preview({ rules }: { rules: readonly PolicyRule[] }) {
  const t = useTexts(policyTexts);
  const { number } = useFormats();
  const [days, setDays] = useState(7);
  const preview = useApiMutation(async (sent: readonly PolicyRule[]) => {
    const body = { rules: [...sent], days };
    return { sent, ...(await data(api.POST('/v1/policy/preview', { body }))) };
  }, []);
  const found = preview.data;
  const positionOf = (name: string | null) => {
    const at = (found?.sent ?? []).findIndex(({ id }) => name === `team:${id}`);
    return at === -1 ? (name ?? t.policy.noRule) : String(at + 1);
  };
  return (
    <Card
      title={t.policy.previewTitle}
      action={
        <Button onClick={() => preview.mutate(rules)} disabled={preview.isPending}>
          {preview.isPending ? t.common.working : t.policy.preview}
        </Button>
      }
    >
      <Field label={t.policy.days}>
        {(props) => (
          <select {...props} value={days} onChange={({ target }) => setDays(Number(target.value))}>
            {DAYS.map((each) => (
              <option key={each} value={each}>
                {t.policy.dayCount(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <RuleErrors error={preview.error} rules={rules} />
      <ErrorNote error={preview.error} />
      {found !== undefined && (
        <div role="status" className={styles.stack}>
          <p>
            {found.verdicts === 0
              ? t.policy.nothingStored
              : t.policy.changes(number(found.changed), number(found.verdicts))}
            {!found.complete && ` ${t.policy.newest}`}
          </p>
          {found.verdicts > 0 && (
            <Table label={t.policy.previewTitle} head={[t.policy.decision, t.policy.now, t.policy.then]}>
              {DECISIONS.map((each) => (
                <tr key={each}>
                  <td>{t.policy.decisions[each]}</td>
                  <td>{number(found.by_decision_before[each] ?? 0)}</td>
                  <td>{number(found.by_decision[each] ?? 0)}</td>
                </tr>
              ))}
            </Table>
          )}
          {found.examples.length > 0 && (
            <Table
              label={t.policy.examples}
              head={[t.policy.domain, t.policy.members.reason, t.policy.now, t.policy.then, t.policy.rule]}
            >
              {found.examples.map(({ domain, reason, before, after, rule }) => (
                <tr key={`${domain} ${reason} ${before} ${rule}`}>
                  <td>{domain ?? t.policy.noDomain}</td>
                  <td>{t.shortReason[reason]}</td>
                  <td>{t.policy.decisions[before]}</td>
                  <td>{t.policy.decisions[after]}</td>
                  <td>{positionOf(rule)}</td>
                </tr>
              ))}
            </Table>
          )}
        </div>
      )}
    </Card>
  );
}
