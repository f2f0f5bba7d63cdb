import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, data } from '../../api/client';
import { shortReasonsEn } from '../../texts/lists/short-reasons.en';
import { useFormats, useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { QueryResult } from '../../ui/query-result';
import { PageHead } from '../../ui/page-head';
import { Bars } from '../../ui/charts/charts';
import { Badge, Card, Table, styles } from '../../ui/ui';
import { Candidates } from './candidates';
import { BreakerTable, EgressTable, ProviderTable } from './egress-table';
import { CheckTable, useCheckSummary } from './check-table';
import { Examination, LastExamination } from './examination';
import { SystemHistory, type System } from './history';
import { SmallChart } from './small-chart';
import css from './system.module.css';
import { useTitle } from '../../ui/use-title';
import { greatest } from '../../../../src/kernel/long-lists';

const POLL_MS = 10_000;

export function SystemPage() {
  const t = useTexts(webhooksEn);
  useTitle(t.system.title);
  const history = useRef<SystemHistory | null>(null);
  history.current ??= new SystemHistory();
  const seen = history.current;
  const system = useQuery({
    queryKey: ['system'],
    queryFn: async () => {
      const state = await data(api.GET('/v1/admin/system'));
      seen.add(state);
      return { state, history: seen };
    },
    refetchInterval: POLL_MS,
    // Each state is shown with the history that it ends.
    structuralSharing: false,
  });
  return (
    <div className={styles.stack}>
      <PageHead title={t.system.title} intro={t.system.intro} />
      <QueryResult query={system}>{({ state }) => <State state={state} history={seen} />}</QueryResult>
      <Candidates />
      <Examination command={system.data?.state.command} />
    </div>
  );
}

function State({ state, history }: { state: System; history: SystemHistory }) {
  const t = useTexts(webhooksEn);
  const { number, clock } = useFormats();
  const last = (values: number[]) => number(Math.round(values.at(-1) ?? 0));
  const { since } = history;
  const range = (values: number[], text: (value: number) => string) =>
    since === null
      ? ''
      : t.system.chartRange(clock(since.toISOString()), text(Math.round(greatest(values, 0))));
  return (
    <>
      <Health parts={state.parts} checks={state.checks} isUsed={state.verdicts.total > 0} />
      <p className={styles.muted}>{t.system.perMinuteHint}</p>
      <div className={css.charts}>
        <SmallChart
          title={t.system.perMinute}
          values={history.perMinute}
          last={last(history.perMinute)}
          range={range(history.perMinute, number)}
        />
        <SmallChart
          title={t.system.unknownPerMinute}
          values={history.unknownPerMinute}
          last={last(history.unknownPerMinute)}
          range={range(history.unknownPerMinute, number)}
        />
        <SmallChart
          title={t.system.queueAge}
          values={history.queueSeconds}
          last={t.verify.age(Math.round(history.queueSeconds.at(-1) ?? 0))}
          range={range(history.queueSeconds, t.verify.age)}
        />
      </div>
      <ProviderTable providers={state.providers} />
      <Queues queues={state.queues} />
      <EgressTable egresses={state.egresses} />
      <BreakerTable breakers={state.breakers} />
      <CheckTable checks={state.checks} />
      <Verdicts verdicts={state.verdicts} />
    </>
  );
}

/** What is degraded comes first. */
const byStatus = (a: System['parts'][number], b: System['parts'][number]) =>
  Number(a.status === 'ok') - Number(b.status === 'ok');

/** Parts that are ok as long as nothing has failed: before the first verdict nothing was tested. */
const NEEDS_USE = ['dns', 'egress', 'mail_servers'];

function Health({ parts, checks, isUsed }: Pick<System, 'parts' | 'checks'> & { isUsed: boolean }) {
  const t = useTexts(webhooksEn);
  const summary = useCheckSummary(checks);
  return (
    <Card title={t.system.health}>
      {summary !== null && (
        <p>
          {t.system.selfChecks}: <a href="#self-checks">{summary}</a>
        </p>
      )}
      <LastExamination />
      <ul className={styles.stack}>
        {parts.toSorted(byStatus).map(({ name, status, reason }) => (
          <li key={name} className={styles.row}>
            {status === 'ok' && isUsed === false && NEEDS_USE.includes(name) ? (
              <Badge>{t.system.untested}</Badge>
            ) : (
              <Badge tone={status === 'ok' ? 'deliverable' : 'risky'}>{t.system[status]}</Badge>
            )}
            <strong>{t.system.partNames[name] ?? name.replaceAll('_', ' ')}</strong>
            <span className={styles.muted} lang="en">
              {reason}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Queues({ queues }: { queues: System['queues'] }) {
  const t = useTexts(webhooksEn);
  const { number } = useFormats();
  return (
    <section className={styles.stack}>
      <h2>{t.system.queues}</h2>
      <Table
        label={t.system.queues}
        head={[t.system.queue, t.system.waiting, t.system.active, t.system.oldest]}
      >
        {queues.map(({ name, waiting, active, oldest_seconds }) => (
          <tr key={name}>
            <td>{name}</td>
            <td>{number(waiting)}</td>
            <td>{number(active)}</td>
            <td>{t.verify.age(Math.round(oldest_seconds))}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Verdicts({ verdicts: { total, by_status, unknown_by_reason } }: { verdicts: System['verdicts'] }) {
  const t = useTexts(webhooksEn);
  const { shortReason } = useTexts(shortReasonsEn);
  const { number, percent } = useFormats();
  const unknown = by_status.unknown;
  const parts = Object.entries(unknown_by_reason).map(([reason, value]) => ({
    id: reason,
    label: shortReason[reason] ?? reason.replaceAll('_', ' '),
    value,
    color: 'var(--unknown)',
  }));
  return (
    <Card title={t.system.verdicts}>
      {total === 0 ? (
        <p className={styles.muted}>{t.system.noVerdicts}</p>
      ) : (
        <>
          <p>
            <strong>{number(total)}</strong> · {t.system.share} {percent(unknown, total)}
          </p>
          {unknown > 0 && <h3>{t.system.unknown}</h3>}
          <Bars parts={parts} />
        </>
      )}
    </Card>
  );
}
