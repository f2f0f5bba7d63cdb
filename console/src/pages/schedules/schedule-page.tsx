import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { api, data } from '../../api/client';
import { schedulesEn } from '../../texts/schedules/schedules.en';
import { useFormats, useTexts } from '../../texts/texts';
import { PageHead } from '../../ui/page-head';
import { QueryResult } from '../../ui/query-result';
import { ResourceTable } from '../../ui/resource-table';
import { Card, styles } from '../../ui/ui';
import { useTitle } from '../../ui/use-title';
import { LastRun, RunLink, RunState, RunText } from './run-text';
import { ScheduleActions } from './schedule-actions';
import { ScheduleState, ScheduleText } from './schedule-text';
import { pollOf, scheduleQuery, type Schedule } from './schedules';

const route = getRouteApi('/schedules/$id');

export function SchedulePage() {
  const { id } = route.useParams();
  const t = useTexts(schedulesEn);
  const schedule = useQuery(scheduleQuery(id));
  useTitle(schedule.data?.name ?? t.schedules.title);
  return (
    <div className={styles.stack}>
      <Link to="/schedules">← {t.schedules.back}</Link>
      <QueryResult query={schedule} title={t.nav.schedules}>
        {(found) => (
          <>
            <ScheduleHead schedule={found} />
            <Runs schedule={found} />
          </>
        )}
      </QueryResult>
    </div>
  );
}

function ScheduleHead({ schedule }: { schedule: Schedule }) {
  const t = useTexts(schedulesEn);
  const navigate = useNavigate();
  const { name, source } = schedule;
  return (
    <>
      <PageHead title={name} badges={<ScheduleState schedule={schedule} />}>
        <ScheduleActions schedule={schedule} isPrimary onDeleted={() => navigate({ to: '/schedules' })} />
      </PageHead>
      <Card>
        <ScheduleText schedule={schedule} />
        <p className={`${styles.muted} ${styles.wrap}`}>
          {t.schedules.url[source.kind]}: <bdi>{source.url}</bdi>
          {source.username !== undefined && `\n${t.schedules.username}: ${source.username}`}
          {source.headers !== undefined &&
            source.headers.length > 0 &&
            `\n${t.schedules.headers}: ${source.headers.join(', ')}`}
          {typeof source.email_column === 'string' && `\n${t.schedules.column}: ${source.email_column}`}
        </p>
      </Card>
    </>
  );
}

function Runs({ schedule }: { schedule: Schedule }) {
  const t = useTexts(schedulesEn);
  const { time } = useFormats();
  const path = { id: schedule.id };
  return (
    <section className={styles.stack}>
      <h2>{t.schedules.runs}</h2>
      {schedule.last_run === null ? (
        <LastRun schedule={schedule} />
      ) : (
        <ResourceTable
          queryKey={['schedule-runs', schedule.id]}
          load={(query) => data(api.GET('/v1/schedules/{id}/runs', { params: { path, query } }))}
          label={t.schedules.runs}
          head={[t.schedules.began, t.schedules.result]}
          pollMs={pollOf}
        >
          {(run) => (
            <tr key={run.id}>
              <td>
                <div className={styles.row}>
                  <RunLink run={run}>{time(run.created_at)}</RunLink>
                  <RunState status={run.status} />
                </div>
              </td>
              <td>
                <RunText run={run} />
              </td>
            </tr>
          )}
        </ResourceTable>
      )}
    </section>
  );
}
