import { useFormats } from '../../texts/texts';
import styles from './charts.module.css';

export interface Part {
  id: string;
  label: string;
  value: number;
  /** A colour of the design tokens. */
  color: string;
}

/** What a part of a chart does when it is chosen, and which one is; a chosen one is given up by choosing it again. */
export interface Choice {
  chosen: string | undefined;
  onChoose: (id: string | undefined) => void;
}

const RADIUS = 42;
const LENGTH = 2 * Math.PI * RADIUS;

/** Shares of a whole, with the numbers beside it for those who do not see it. */
export function Donut({
  parts,
  label,
  center,
  centerLabel,
  choice,
}: {
  parts: Part[];
  label: string;
  /** A value, and what it is the value of. */
  center: string;
  centerLabel: string;
  choice?: Choice;
}) {
  const { number, percent } = useFormats();
  const whole = parts.reduce((sum, { value }) => sum + value, 0);
  let before = 0;
  return (
    <figure className={styles.donut}>
      <svg viewBox="0 0 100 100" role="img" aria-label={label}>
        <circle cx="50" cy="50" r={RADIUS} fill="none" stroke="var(--surface-2)" strokeWidth="14" />
        {parts.map(({ id, value, color }) => {
          const length = whole === 0 ? 0 : (LENGTH * value) / whole;
          const offset = before;
          before += length;
          if (length === 0) return null;
          return (
            <circle
              key={id}
              cx="50"
              cy="50"
              r={RADIUS}
              fill="none"
              stroke={color}
              strokeWidth="14"
              strokeDasharray={`${length} ${LENGTH - length}`}
              strokeDashoffset={-offset}
              transform="rotate(-90 50 50)"
              className={sliceClass(id, choice)}
              onClick={() => choice?.onChoose(id === choice.chosen ? undefined : id)}
            />
          );
        })}
        <text x="50" y="51" textAnchor="middle" className={styles.center}>
          {center}
        </text>
        <text x="50" y="61" textAnchor="middle" className={styles.centerLabel}>
          {centerLabel}
        </text>
      </svg>
      <dl className={styles.legend}>
        {parts.map(({ id, label: name, value, color }) => (
          <div key={id}>
            <dt>
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <rect width="10" height="10" rx="2" fill={color} />
              </svg>
              <Name id={id} choice={value > 0 ? choice : undefined}>
                {name}
              </Name>
            </dt>
            <dd>
              {number(value)} <span>{percent(value, whole)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}

/** The name of a part: a button where the chart filters. */
function Name({ id, choice, children }: { id: string; choice: Choice | undefined; children: string }) {
  if (choice === undefined) return children;
  const isChosen = choice.chosen === id;
  return (
    <button
      type="button"
      className={styles.choose}
      aria-pressed={isChosen}
      onClick={() => choice.onChoose(isChosen ? undefined : id)}
    >
      {children}
    </button>
  );
}

const sliceClass = (id: string, choice: Choice | undefined) =>
  choice === undefined
    ? ''
    : `${styles.slice} ${choice.chosen === undefined || choice.chosen === id ? '' : styles.faded}`;

/** Shares of a whole in one bar; what is missing to the whole is empty. */
export function ShareBar({ parts, whole, label }: { parts: Part[]; whole: number; label: string }) {
  let before = 0;
  return (
    <svg
      className={styles.share}
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <rect width="100" height="8" fill="var(--surface-2)" />
      {parts.map(({ id, value, color }) => {
        const width = whole === 0 ? 0 : (100 * value) / whole;
        const x = before;
        before += width;
        return width === 0 ? null : <rect key={id} x={x} width={width} height="8" fill={color} />;
      })}
    </svg>
  );
}

/** One bar for each part, the longest first. */
export function Bars({ parts, choice }: { parts: Part[]; choice?: Choice }) {
  const { number } = useFormats();
  const sorted = parts.filter(({ value }) => value > 0).sort((a, b) => b.value - a.value);
  const most = sorted[0]?.value ?? 1;
  return (
    <dl className={styles.bars}>
      {sorted.map(({ id, label, value, color }) => (
        <div key={id}>
          <dt>
            <Name id={id} choice={choice}>
              {label}
            </Name>
          </dt>
          <dd>
            <svg
              viewBox="0 0 100 8"
              preserveAspectRatio="none"
              aria-hidden="true"
              className={sliceClass(id, choice)}
              onClick={() => choice?.onChoose(id === choice.chosen ? undefined : id)}
            >
              <rect width={Math.max(0.8, (100 * value) / most)} height="8" rx="1" fill={color} />
            </svg>
            <span>{number(value)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
