import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, data, type BulkJob, type Schemas } from '../../api/client';
import { listPagesEn } from '../../texts/lists/list-pages.en';
import { useFormats, useTexts } from '../../texts/texts';
import { colorOf } from '../../ui/charts/chart-colors';
import { ShareBar } from '../../ui/charts/charts';
import { QueryResult } from '../../ui/query-result';
import { Card, Field, Table, styles } from '../../ui/ui';
import { providerName } from '../../texts/provider-name';
import { Untrusted } from '../../ui/untrusted';
import { STATUSES } from './download';
import { isEnded } from './job-events';
import css from './lists.module.css';

type By = Schemas['BulkBreakdown']['by'];

/** The outcome of the largest domains or providers; requested once it is opened. */
export function Breakdown({ job, onDomain }: { job: BulkJob; onDomain: (domain: string) => void }) {
  const t = useTexts(listPagesEn);
  const [isOpen, setIsOpen] = useState(false);
  const [by, setBy] = useState<By>('domain');
  return (
    <Card>
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className={css.summary}>{t.breakdown.title}</summary>
        {isOpen && (
          <div className={styles.stack}>
            <div className={css.filters}>
              <Field label={t.breakdown.by}>
                {(props) => (
                  <select {...props} value={by} onChange={({ target }) => setBy(target.value as By)}>
                    {(['domain', 'provider'] as const).map((each) => (
                      <option key={each} value={each}>
                        {t.breakdown.groups[each]}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            </div>
            <Groups key={by} job={job} by={by} onDomain={onDomain} />
          </div>
        )}
      </details>
    </Card>
  );
}

function Groups({
  job,
  by,
  onDomain,
}: {
  job: BulkJob;
  by: By;
  /** Shows the rows of a domain. */
  onDomain: (domain: string) => void;
}) {
  const t = useTexts(listPagesEn);
  const query = useQuery({
    // The rows of a job that runs are those of the moment at which they were counted.
    queryKey: ['breakdown', job.id, by, isEnded(job)],
    queryFn: ({ signal }) =>
      data(
        api.GET('/v1/bulk-jobs/{id}/breakdown', { params: { path: { id: job.id }, query: { by } }, signal }),
      ),
    staleTime: Infinity,
  });
  const statuses = STATUSES.map((status) => t.status[status]);
  return (
    <QueryResult query={query}>
      {({ groups, other }) => {
        if (groups.length === 0) return <p className={styles.muted}>{t.breakdown.empty}</p>;
        return (
          <>
            <Table
              label={t.breakdown.title}
              isWide
              head={[t.breakdown.groups[by], t.job.rows, ...statuses]}
              align={{ 1: 'end', 2: 'end', 3: 'end', 4: 'end', 5: 'end' }}
            >
              {groups.map(({ name, ...rows }) => (
                <Row key={name ?? ''} rows={rows}>
                  {name === null ? (
                    t.breakdown.none[by]
                  ) : by === 'domain' ? (
                    <button type="button" className={css.open} onClick={() => onDomain(name)}>
                      <Untrusted text={name} />
                    </button>
                  ) : (
                    providerName(name)
                  )}
                </Row>
              ))}
              {other.rows > 0 && <Row rows={other}>{t.breakdown.other}</Row>}
            </Table>
            <p className={styles.muted}>{t.breakdown.sums}</p>
          </>
        );
      }}
    </QueryResult>
  );
}

function Row({ rows, children }: { rows: Schemas['BulkGroupRows']; children: ReactNode }) {
  const { number } = useFormats();
  const parts = STATUSES.map((status) => ({
    id: status,
    label: status,
    value: rows.by_status[status] ?? 0,
    color: colorOf(status),
  }));
  return (
    <tr>
      <th scope="row" className={css.group}>
        {children}
        {/* The cells have its numbers. */}
        <span aria-hidden="true">
          <ShareBar parts={parts} whole={rows.rows} label="" />
        </span>
      </th>
      <td className={styles.number}>{number(rows.rows)}</td>
      {parts.map(({ id, value }) => (
        <td key={id} className={styles.number}>
          {number(value)}
        </td>
      ))}
    </tr>
  );
}
