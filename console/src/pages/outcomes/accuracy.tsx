import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { outcomesEn } from '../../texts/outcomes.en';
import { shortReasonsEn } from '../../texts/lists/short-reasons.en';
import { useFormats, useTexts } from '../../texts/texts';
import { QueryResult } from '../../ui/query-result';
import { Card, Empty, Field, Table, styles } from '../../ui/ui';
import { providerName } from '../../texts/provider-name';
import { IntervalChart } from './interval-chart';
import css from './outcomes.module.css';

type Row = Schemas['AccuracyRow'];

/** Verdicts are remembered for 90 days. */
const PERIODS = [7, 30, 90];
const DEFAULT_DAYS = 90;
/** The most frequent groups; the table has all. */
const MAX_BARS = 12;

const outcomesOf = ({ delivered, bounced, complained }: Row) => delivered + bounced + complained;

const NUMBERS = { 2: 'end', 3: 'end', 4: 'end', 5: 'end', 6: 'end' } as const;

/** What came in lately, and what it says about the verdicts. */
export function Accuracy() {
  const t = useTexts(outcomesEn);
  const [days, setDays] = useState(DEFAULT_DAYS);
  const accuracy = useQuery({
    queryKey: ['accuracy', days],
    queryFn: () => data(api.GET('/v1/accuracy', { params: { query: { days } } })),
  });
  return (
    <Card title={t.outcomes.accuracy}>
      <p className={styles.muted}>{t.outcomes.accuracyHint}</p>
      <Field label={t.outcomes.period}>
        {(props) => (
          <select
            {...props}
            className={css.period}
            value={days}
            onChange={({ target }) => setDays(Number(target.value))}
          >
            {PERIODS.map((each) => (
              <option key={each} value={each}>
                {t.outcomes.days(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <QueryResult query={accuracy}>{(result) => <Result {...result} />}</QueryResult>
    </Card>
  );
}

function Result({ data: rows, calibration }: Schemas['Accuracy']) {
  const t = useTexts(outcomesEn);
  const { shortReason } = useTexts(shortReasonsEn);
  const { number, percent } = useFormats();
  const sorted = rows.toSorted((a, b) => outcomesOf(b) - outcomesOf(a));
  const sum = (name: 'delivered' | 'bounced' | 'complained') =>
    rows.reduce((total, row) => total + row[name], 0);
  if (rows.every((row) => outcomesOf(row) === 0))
    return (
      <Empty icon="chart" title={t.outcomes.noneTitle}>
        <p>{t.outcomes.none}</p>
      </Empty>
    );
  const bars = sorted.flatMap(({ status, reason, provider, bounce_rate: rate }) =>
    rate === null ? [] : [{ label: labelOf(shortReason[reason] ?? reason, provider), status, ...rate }],
  );
  const { outcomes, brier, error } = calibration;
  return (
    <>
      <dl className={css.counts}>
        {(['delivered', 'bounced', 'complained'] as const).map((name) => (
          <div key={name}>
            <dt>{t.outcomes.count[name]}</dt>
            <dd>{number(sum(name))}</dd>
          </div>
        ))}
      </dl>
      {rows.some(({ basis }) => basis === 'bounces_only') && <p>{t.outcomes.bouncesOnlyHint}</p>}
      {bars.length > 0 && (
        <>
          <h3>{t.outcomes.chart}</h3>
          <IntervalChart bars={bars.slice(0, MAX_BARS)} label={t.outcomes.chart} />
        </>
      )}
      <Table label={t.outcomes.table} head={t.outcomes.columns} align={NUMBERS} isWide>
        {sorted.map((row) => (
          <tr key={`${row.reason} ${row.provider}`}>
            <td className={css.name}>{shortReason[row.reason] ?? row.reason}</td>
            <td className={css.name}>{row.provider === null ? '–' : providerName(row.provider)}</td>
            <td className={styles.number}>{number(row.verified)}</td>
            <td className={styles.number}>{number(row.delivered)}</td>
            <td className={styles.number}>{number(row.bounced)}</td>
            <td className={styles.number}>{number(row.complained)}</td>
            <td className={styles.number}>
              {row.bounce_rate === null
                ? row.basis === 'bounces_only'
                  ? t.outcomes.bouncesOnly
                  : '–'
                : t.outcomes.rate(
                    percent(row.bounce_rate.value, 1),
                    percent(row.bounce_rate.low, 1),
                    percent(row.bounce_rate.high, 1),
                  )}
            </td>
          </tr>
        ))}
      </Table>
      {brier !== null && error !== null && (
        <p className={styles.muted}>
          {t.outcomes.calibration(number(outcomes), percent(error, 1), number(brier))}
        </p>
      )}
    </>
  );
}

const labelOf = (reason: string, provider: string | null) =>
  provider === null ? reason : `${reason} · ${providerName(provider)}`;
