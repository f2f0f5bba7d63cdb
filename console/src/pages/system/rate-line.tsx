import { useFormats, useTexts } from '../../texts/texts';

export interface Point {
  atMs: number;
  /** A counter that only grows; smaller after a restart of the service. */
  total: number;
}

const WIDTH = 600;
const HEIGHT = 80;
const MINUTE_MS = 60_000;

/** The growth of a counter per minute. */
export function RateLine({ points }: { points: readonly Point[] }) {
  const t = useTexts();
  const { number } = useFormats();
  const rates = points.slice(1).map(({ atMs, total }, index) => {
    const before = points[index] ?? { atMs, total };
    const grown = Math.max(0, total - before.total);
    return (grown * MINUTE_MS) / Math.max(1, atMs - before.atMs);
  });
  const most = Math.max(1, ...rates);
  const last = Math.round(rates.at(-1) ?? 0);
  const step = WIDTH / Math.max(1, rates.length - 1);
  const line = rates.map((rate, index) => `${index * step},${HEIGHT - (HEIGHT * rate) / most}`).join(' ');
  return (
    <figure>
      <strong>{number(last)}</strong>
      <svg
        viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
        width="100%"
        height={HEIGHT}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${t.system.perMinute}: ${number(last)}`}
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
  );
}
