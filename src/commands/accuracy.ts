import type { AccuracyResponse } from '../modules/verification/outcomes/outcomes.dto.js';
import { queryOf, requireService, type Shape } from './service-client.js';
import { print, type Format } from './terminal.js';
import { greatest } from '../kernel/long-lists.js';

interface AccuracyOptions extends Format {
  url?: string;
  days: string;
}

const SHAPE = {
  data: [
    { reason: 'string', verified: 'number', delivered: 'number', bounced: 'number', complained: 'number' },
  ],
  calibration: { outcomes: 'number' },
} satisfies Shape<AccuracyResponse>;

export async function showAccuracy(options: AccuracyOptions): Promise<void> {
  const client = requireService(options.url);
  const response = await client.request(`/v1/accuracy?${queryOf({ days: options.days })}`);
  if (response.status !== 200) throw await client.refusalOf(response);
  const accuracy = await client.answer<AccuracyResponse>(response, SHAPE);
  print(options, accuracy, () => describe(accuracy));
}

const COLUMNS = ['reason', 'provider', 'verified', 'delivered', 'bounced', 'complained', 'bounce rate'];

function describe({ data, calibration }: AccuracyResponse): string {
  const rows = data.map((row) => [
    row.reason,
    row.provider ?? '',
    ...[row.verified, row.delivered, row.bounced, row.complained].map(String),
    rateOf(row),
  ]);
  const table = [COLUMNS, ...rows];
  const widths = COLUMNS.map((_, n) => greatest(table.map((row) => row[n]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const { outcomes, brier, error } = calibration;
  const measured =
    brier === null || error === null ? '' : `, Brier score ${brier.toFixed(3)}, error ${error.toFixed(3)}`;
  return [...lines, '', `Estimates: ${outcomes} outcomes${measured}`].join('\n');
}

function rateOf({ basis, bounce_rate: rate }: AccuracyResponse['data'][number]): string {
  if (rate === null) return basis === 'bounces_only' ? 'not known: bounces only' : '';
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return `${percent(rate.value)} (${percent(rate.low)} – ${percent(rate.high)})`;
}
