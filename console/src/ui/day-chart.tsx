import { useFormats, useTexts } from '../texts/texts';
import styles from './charts.module.css';

interface Day {
  date: string;
  total: number;
  by_status: Partial<Record<string, number>>;
}

const HEIGHT = 100;
const STATUSES = ['deliverable', 'risky', 'unknown', 'undeliverable'] as const;

/** A stacked bar for each day, oldest first. The table beside it says the same. */
export function DayChart({ days }: { days: Day[] }) {
  const t = useTexts();
  const { number, date } = useFormats();
  const most = Math.max(1, ...days.map(({ total }) => total));
  const [first, last] = [days[0], days.at(-1)];
  return (
    <figure className={styles.days}>
      <span className={styles.axis}>{number(most)}</span>
      <svg
        viewBox={`0 0 ${days.length * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t.usage.byDay}
      >
        {days.map(({ date: day, total, by_status: byStatus }, index) => {
          let top = HEIGHT;
          return (
            <g key={day}>
              <title>{`${date(day)}: ${number(total)}`}</title>
              <rect x={index * 10} y={HEIGHT - 1} width="8.4" height="1" fill="var(--line-strong)" />
              {STATUSES.map((status) => {
                const height = (HEIGHT * (byStatus[status] ?? 0)) / most;
                top -= height;
                return height === 0 ? null : (
                  <rect
                    key={status}
                    x={index * 10}
                    y={top}
                    width="8.4"
                    height={height}
                    fill={`var(--${status})`}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <span className={styles.axis}>
        <span>{first && date(first.date)}</span>
        <span>{last && date(last.date)}</span>
      </span>
      <ul className={styles.keys}>
        {STATUSES.map((status) => (
          <li key={status}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect width="10" height="10" rx="2" fill={`var(--${status})`} />
            </svg>
            {t.status[status]}
          </li>
        ))}
      </ul>
    </figure>
  );
}
