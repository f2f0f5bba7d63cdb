import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../../api/problem';
import { schedulesEn } from '../../texts/schedules/schedules.en';
import { useTexts } from '../../texts/texts';
import { styles } from '../../ui/ui';
import { scheduleQuery } from './schedules';

/** From the list of a run to its schedule. */
export function ScheduleLink({ id }: { id: string }) {
  const t = useTexts(schedulesEn);
  const { data, error } = useQuery(scheduleQuery(id));
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <p className={styles.muted}>
      {isGone ? (
        t.schedules.fromDeleted
      ) : (
        <>
          {t.schedules.from}{' '}
          <Link to="/schedules/$id" params={{ id }}>
            <bdi>{data?.name ?? id}</bdi>
          </Link>
        </>
      )}
    </p>
  );
}
