import type { Status } from '../../api/client';
import { useFormats } from '../../texts/texts';
import css from './outcomes.module.css';
import { greatest } from '../../../../src/kernel/long-lists';

export interface IntervalBar {
  label: string;
  status: Status;
  value: number;
  low: number;
  high: number;
}

/** Upper ends of the axis. */
const ENDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
const TICKS = 4;

/** Shares with their intervals, on one axis from zero. The table beside it says the same. */
export function IntervalChart({ bars, label }: { bars: readonly IntervalBar[]; label: string }) {
  const { percent } = useFormats();
  const most = greatest(
    bars.map(({ high }) => high),
    0,
  );
  const end = ENDS.find((each) => each >= most) ?? 1;
  const x = (share: number) => (100 * share) / end;
  const ticks = Array.from({ length: TICKS + 1 }, (_, index) => (end * index) / TICKS);
  return (
    <figure className={css.chart} role="img" aria-label={label}>
      {bars.map(({ label: name, status, value, low, high }) => (
        <div key={name} className={css.bar}>
          <span>{name}</span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none">
            <title>{`${name}: ${percent(value, 1)}`}</title>
            <Grid ticks={ticks.map(x)} />
            <line
              x1={x(low)}
              x2={x(high)}
              y1="5"
              y2="5"
              stroke={`var(--${status})`}
              className={css.interval}
            />
            <line
              x1={x(value)}
              x2={x(value)}
              y1="1"
              y2="9"
              stroke={`var(--${status})`}
              className={css.value}
            />
          </svg>
        </div>
      ))}
      <div className={css.bar}>
        <div className={css.axis}>
          {ticks.map((tick) => (
            <span key={tick} style={{ left: `${x(tick)}%` }}>
              {percent(tick, 1)}
            </span>
          ))}
        </div>
      </div>
    </figure>
  );
}

function Grid({ ticks }: { ticks: readonly number[] }) {
  return ticks.map((at) => (
    <line key={at} x1={at} x2={at} y1="0" y2="10" stroke="var(--line)" className={css.grid} />
  ));
}
