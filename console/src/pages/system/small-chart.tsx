import { Card, styles } from '../../ui/ui';
import { greatest } from '../../../../src/kernel/long-lists';

const WIDTH = 300;
const HEIGHT = 60;

/** Values over time as a line, and the last one as text. */
export function SmallChart({
  title,
  values,
  last,
  range,
}: {
  title: string;
  values: number[];
  last: string;
  /** Since when, and up to which value. */
  range: string;
}) {
  const most = greatest(values, 1);
  const step = WIDTH / Math.max(1, values.length - 1);
  const line = values.map((value, index) => `${index * step},${HEIGHT - (HEIGHT * value) / most}`).join(' ');
  return (
    <Card title={title}>
      <figure>
        <p className={`${styles.row} ${styles.between}`}>
          <strong>{last}</strong>
          <span className={styles.muted}>{range}</span>
        </p>
        <svg
          viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
          width="100%"
          height={HEIGHT}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: ${last}`}
        >
          <line x1="0" y1={HEIGHT} x2={WIDTH} y2={HEIGHT} stroke="var(--line-strong)" />
          <polyline
            points={line}
            fill="none"
            stroke="var(--accent)"
            strokeWidth="2"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      </figure>
    </Card>
  );
}
