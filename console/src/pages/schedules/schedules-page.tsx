import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { BASE } from '../../api/connection';
import { useIsLive, useMe } from '../../api/queries';
import { listsEn } from '../../texts/lists/lists.en';
import { schedulesEn } from '../../texts/schedules/schedules.en';
import { useTexts } from '../../texts/texts';
import { PageHead } from '../../ui/page-head';
import { QueryResult } from '../../ui/query-result';
import { Button, ButtonLink, Empty, styles } from '../../ui/ui';
import { useNewInAddress } from '../../ui/use-new';
import { useTitle } from '../../ui/use-title';
import { LastRun } from './run-text';
import { ScheduleActions } from './schedule-actions';
import { ScheduleDialog } from './schedule-dialog';
import { ScheduleState, ScheduleText } from './schedule-text';
import { schedulesQuery, useMaySchedule, type Schedule } from './schedules';
import css from './schedules.module.css';

const TEXTS = { ...schedulesEn, ...listsEn };

export function SchedulesPage() {
  const t = useTexts(TEXTS);
  useTitle(t.schedules.title);
  const isLive = useIsLive();
  const me = useMe();
  const { mayRun } = useMaySchedule();
  const schedules = useQuery(schedulesQuery);
  const [isCreating, setIsCreating] = useState(false);
  const create = () => setIsCreating(true);
  useNewInAddress(() => mayRun && create());
  return (
    <div className={styles.stack}>
      <PageHead title={t.schedules.title} intro={t.schedules.intro}>
        {mayRun && (
          <Button variant="primary" onClick={create}>
            {t.schedules.create}
          </Button>
        )}
      </PageHead>
      {!isLive && <p className={styles.muted}>{t.schedules.liveOnly}</p>}
      {isLive && !mayRun && me !== null && (
        <Empty icon="clock" title={t.schedules.notIncluded(me.team.tier)}>
          <p>{t.schedules.notIncludedHint}</p>
          <ButtonLink to="/usage">{t.lists.seePlan}</ButtonLink>
        </Empty>
      )}
      <QueryResult query={schedules}>
        {({ data: list }) =>
          list.length > 0 ? (
            <ul className={css.list} aria-label={t.schedules.title}>
              {list.map((schedule) => (
                <ScheduleCard key={schedule.id} schedule={schedule} />
              ))}
            </ul>
          ) : (
            <Empty icon="clock" title={t.schedules.emptyTitle}>
              <p>{isLive && !mayRun ? t.schedules.emptyPlan : t.schedules.empty}</p>
              {mayRun && <Button onClick={create}>{t.schedules.createFirst}</Button>}
            </Empty>
          )
        }
      </QueryResult>
      <p>
        <a href={`${BASE}docs`} target="_blank" rel="noreferrer">
          {t.schedules.docs}
        </a>
      </p>
      {isCreating && <ScheduleDialog onClose={() => setIsCreating(false)} />}
    </div>
  );
}

function ScheduleCard({ schedule }: { schedule: Schedule }) {
  const { id, name } = schedule;
  return (
    <li className={styles.card}>
      <div className={`${styles.row} ${styles.between}`}>
        <div className={`${styles.row} ${css.name}`}>
          <h2>
            <Link to="/schedules/$id" params={{ id }}>
              <bdi>{name}</bdi>
            </Link>
          </h2>
          <ScheduleState schedule={schedule} />
        </div>
        <ScheduleActions schedule={schedule} />
      </div>
      <ScheduleText schedule={schedule} />
      <LastRun schedule={schedule} />
    </li>
  );
}
