import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { BASE, reach } from '../../api/connection';
import { useFormats, useTexts } from '../../texts/texts';
import { Answer } from '../../ui/answers';
import { Bars } from '../../ui/charts';
import { Badge, Card, Copy, Table, styles } from '../../ui/ui';
import { byLabel, parseMetrics, sumOf, type Sample } from './metrics';
import { RateLine, type Point } from './rate-line';

const POLL_MS = 10_000;
const MAX_POINTS = 60;

interface Health {
  status?: string;
  checks?: Record<string, string>;
  reasons?: Record<string, string>;
  detail?: string;
  failing?: string;
}

export function SystemPage() {
  const t = useTexts();
  return (
    <div className={styles.stack}>
      <div>
        <h1>{t.system.title}</h1>
        <p className={styles.muted}>{t.system.intro}</p>
      </div>
      <HealthCard />
      <Metrics />
      <Card title={t.system.doctor}>
        <p className={styles.muted}>{t.system.doctorHint}</p>
        <Copy text="npx --no rcpt doctor" label={t.system.doctor} />
      </Card>
    </div>
  );
}

function HealthCard() {
  const t = useTexts();
  const health = useQuery({
    queryKey: ['readyz'],
    // 503 is an answer too: it names the part that fails.
    queryFn: async () => (await (await reach(`${BASE}readyz`)).json()) as Health,
    refetchInterval: POLL_MS,
  });
  return (
    <Card title={t.system.health}>
      <Answer query={health}>
        {({ checks, reasons = {}, failing, detail }) =>
          checks === undefined ? (
            <p className={styles.error}>
              <strong>{t.system.notReady}</strong> {failing}: {detail}
            </p>
          ) : (
            <ul className={styles.stack}>
              {Object.entries(checks).map(([name, state]) => (
                <li key={name} className={styles.row}>
                  <Badge tone={state === 'ok' ? 'deliverable' : 'risky'}>
                    {state === 'ok' ? t.system.ok : t.system.degraded}
                  </Badge>
                  <strong>{name.replaceAll('_', ' ')}</strong>
                  <span className={styles.muted}>{reasons[name]}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  );
}

function Metrics() {
  const t = useTexts();
  const points = useRef<Point[]>([]);
  const metrics = useQuery({
    queryKey: ['metrics'],
    queryFn: async () => {
      const response = await reach(`${BASE}metrics`);
      const samples = response.ok ? parseMetrics(await response.text()) : null;
      if (samples !== null) points.current = withPoint(points.current, samples);
      return { samples, points: points.current };
    },
    refetchInterval: POLL_MS,
  });
  return (
    <Answer query={metrics}>
      {({ samples, points: measured }) =>
        samples === null ? (
          <p className={styles.muted}>{t.system.noMetrics}</p>
        ) : (
          <>
            <Queues samples={samples} />
            <Card title={t.system.perMinute}>
              <p className={styles.muted}>{t.system.perMinuteHint}</p>
              <RateLine points={measured} />
            </Card>
            <Verdicts samples={samples} />
          </>
        )
      }
    </Answer>
  );
}

function Queues({ samples }: { samples: readonly Sample[] }) {
  const t = useTexts();
  const { number } = useFormats();
  const of = (name: string) => new Map(byLabel(samples, name, 'queue'));
  const [active, oldest] = [of('rcpt_queue_active'), of('rcpt_queue_oldest_seconds')];
  return (
    <section className={styles.stack}>
      <h2>{t.system.queues}</h2>
      <Table
        label={t.system.queues}
        head={[t.system.queue, t.system.waiting, t.system.active, t.system.oldest]}
      >
        {byLabel(samples, 'rcpt_queue_waiting', 'queue').map(([queue, waiting]) => (
          <tr key={queue}>
            <td>{queue}</td>
            <td>{number(waiting)}</td>
            <td>{number(active.get(queue) ?? 0)}</td>
            <td>{t.verify.age(Math.round(oldest.get(queue) ?? 0))}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Verdicts({ samples }: { samples: readonly Sample[] }) {
  const t = useTexts();
  const { number, percent } = useFormats();
  const all = sumOf(samples, 'rcpt_verdicts_total');
  const unknown = samples.filter(
    ({ name, labels }) => name === 'rcpt_verdicts_total' && labels.status === 'unknown',
  );
  const count = unknown.reduce((sum, { value }) => sum + value, 0);
  const parts = unknown.map(({ labels, value }) => ({
    id: labels.reason ?? '',
    label: (labels.reason ?? '').replaceAll('_', ' '),
    value,
    color: 'var(--unknown)',
  }));
  return (
    <Card title={t.system.verdicts}>
      {all === 0 ? (
        <p className={styles.muted}>{t.system.noVerdicts}</p>
      ) : (
        <>
          <p>
            <strong>{number(all)}</strong> · {t.system.share} {percent(count, all)}
          </p>
          {count > 0 && <h3>{t.system.unknown}</h3>}
          <Bars parts={parts} />
        </>
      )}
    </Card>
  );
}

function withPoint(points: readonly Point[], samples: readonly Sample[]): Point[] {
  const total = sumOf(samples, 'rcpt_verdicts_total');
  return [...points, { atMs: Date.now(), total }].slice(-MAX_POINTS);
}
