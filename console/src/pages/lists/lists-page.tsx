import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, data } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { QueryResult } from '../../ui/query-result';
import { Empty, Progress, Table, styles } from '../../ui/ui';
import { DropZone } from './drop-zone';
import { isEnded } from './job-events';
import { JobStatusBadge } from './job-status-badge';
import css from './lists.module.css';
import { Pager, usePages } from '../../ui/pager';

const POLL_MS = 4_000;

export function ListsPage() {
  const t = useTexts();
  return (
    <div className={styles.stack}>
      <div>
        <h1>{t.lists.title}</h1>
        <p className={styles.muted}>{t.lists.intro}</p>
      </div>
      <DropZone />
      <Jobs />
    </div>
  );
}

function Jobs() {
  const t = useTexts();
  const { number, time } = useFormats();
  const { cursor, pager } = usePages('jobs');
  const jobs = useQuery({
    queryKey: ['jobs', cursor],
    queryFn: () => data(api.GET('/v1/bulk-jobs', { params: { query: cursor === null ? {} : { cursor } } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some((job) => !isEnded(job)) ? POLL_MS : false),
  });
  return (
    <QueryResult query={jobs}>
      {({ data: list, next_cursor: next }) =>
        list.length === 0 && cursor === null ? (
          <Empty title={t.lists.emptyTitle}>
            <p>{t.lists.empty}</p>
          </Empty>
        ) : (
          <section className={styles.stack}>
            <h2>{t.lists.earlier}</h2>
            <Table
              label={t.lists.earlier}
              head={[t.lists.name, t.common.status, t.lists.progress, t.lists.rows, t.common.createdAt]}
            >
              {list.map((job) => (
                <tr key={job.id}>
                  <td>
                    <Link to="/lists/$id" params={{ id: job.id }} className={css.name}>
                      {job.name ?? t.lists.untitled}
                    </Link>
                  </td>
                  <td>
                    <JobStatusBadge status={job.status} />
                  </td>
                  <td className={css.bar}>
                    <Progress
                      value={job.processed}
                      max={job.total}
                      label={t.job.progress(number(job.processed), number(job.total))}
                    />
                  </td>
                  <td className={styles.number}>{number(job.total)}</td>
                  <td className={styles.muted}>{time(job.created_at)}</td>
                </tr>
              ))}
            </Table>
            <Pager {...pager} next={next} />
          </section>
        )
      }
    </QueryResult>
  );
}
