import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../texts/texts';
import { Card, Field, styles, Table } from '../../ui/ui';
import css from './policy.module.css';
import { DECISIONS, policyTexts } from './rules';
import type { PreviewState } from './use-preview';

const DAYS = [7, 30];

/** Beside the button that stores the rules: how many stored results would change, and how. */
export function PreviewLine({ preview: { found, isCurrent, error } }: { preview: PreviewState }) {
  const t = useTexts(policyTexts);
  const { number } = useFormats();
  const textOf = () => {
    if (error !== null) return '';
    if (found === null || !isCurrent) return t.policy.counting;
    if (found.verdicts === 0) return t.policy.nothingStored;
    const parts = found.changes.map(({ before, after, count }) =>
      t.policy.change(number(count), t.policy.decisions[before], t.policy.decisions[after]),
    );
    return t.policy.changes(number(found.changed), number(found.verdicts), parts.join(', '));
  };
  return (
    <span role="status" className={isCurrent ? undefined : styles.muted}>
      {textOf()}
      {isCurrent && found?.complete === false && ` ${t.policy.newest}`}
    </span>
  );
}

/** What the rules of the draft would change in stored results, and where those are. */
export function Preview({
  preview: { found, isCurrent },
  days,
  onDays,
}: {
  preview: PreviewState;
  days: number;
  onDays: (days: number) => void;
}) {
  const t = useTexts(policyTexts);
  const { number } = useFormats();
  const positionOf = (name: string | null) => {
    const at = (found?.sent ?? []).findIndex(({ id }) => name === `team:${id}`);
    return at === -1 ? (name ?? t.policy.noRule) : String(at + 1);
  };
  return (
    <Card title={t.policy.previewTitle}>
      <Field label={t.policy.days}>
        {(props) => (
          <select {...props} value={days} onChange={({ target }) => onDays(Number(target.value))}>
            {DAYS.map((each) => (
              <option key={each} value={each}>
                {t.policy.dayCount(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {found !== null && found.verdicts > 0 && (
        <div aria-busy={!isCurrent} className={`${styles.stack} ${isCurrent ? '' : css.stale}`}>
          <Table label={t.policy.previewTitle} head={[t.policy.decision, t.policy.now, t.policy.then]}>
            {DECISIONS.map((each) => (
              <tr key={each}>
                <td>{t.policy.decisions[each]}</td>
                <td>{number(found.by_decision_before[each] ?? 0)}</td>
                <td>{number(found.by_decision[each] ?? 0)}</td>
              </tr>
            ))}
          </Table>
          {found.examples.length > 0 && (
            <Table
              label={t.policy.examples}
              head={[
                t.policy.domain,
                t.policy.members.reason,
                t.policy.now,
                t.policy.then,
                t.policy.rule,
                t.policy.results,
              ]}
            >
              {found.examples.map(({ domain, reason, before, after, rule, count, job_id: list }) => (
                <tr key={`${domain} ${reason} ${before} ${rule}`}>
                  <td>{domain ?? t.policy.noDomain}</td>
                  <td>{t.shortReason[reason]}</td>
                  <td>{t.policy.decisions[before]}</td>
                  <td>{t.policy.decisions[after]}</td>
                  <td>{positionOf(rule)}</td>
                  <td>
                    {list === null ? (
                      number(count)
                    ) : (
                      // In a tab of its own: the draft stays in this one.
                      <Link
                        to="/lists/$id"
                        params={{ id: list }}
                        search={{ reason, ...(domain !== null && { q: domain }) }}
                        target="_blank"
                        aria-label={t.policy.showResults(number(count), domain ?? t.policy.noDomain)}
                      >
                        {number(count)}
                      </Link>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </div>
      )}
    </Card>
  );
}
