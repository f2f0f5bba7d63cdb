import { randomUUID } from 'node:crypto';
import type { BulkJobResponse } from '../../modules/lists/bulk/jobs/bulk-job.dto.js';
import type { ListPreviewResponse } from '../../modules/lists/bulk/preview/list-preview.dto.js';
import type { ServiceClient } from '../service-client.js';
import { inCommandTerms, plural, print, UsageError, type Format } from '../terminal.js';
import { JOB, upload } from './bulk-remote.js';
import type { ListRun } from './list-run.js';
import type { ProgressReport } from './progress-report.js';

const POLL_MS = 1_000;

/** Prints what a list contains: nothing is charged, and no mail server is asked. */
export async function dryRun(
  run: ListRun,
  report: ProgressReport,
  service: ServiceClient | null,
  format: Format,
): Promise<void> {
  const preview =
    service === null
      ? await (await import('./local-preview.js')).previewLocally(run, report)
      : await previewRemotely(run, report, service);
  report.stop();
  print(format, preview, () => textOf(preview));
}

/** Holds the list, and deletes it when its preview is there. */
async function previewRemotely(
  run: ListRun,
  report: ProgressReport,
  service: ServiceClient,
): Promise<ListPreviewResponse> {
  const { name } = run;
  const job = await upload(service, run, { name, idempotencyKey: randomUUID(), hold: true }, report);
  const path = `/v1/bulk-jobs/${job.id}`;
  if (job.status !== 'held') {
    await service.request(`${path}/cancel`, { method: 'POST' });
    throw new UsageError('the service is too old for --dry-run; the list was canceled');
  }
  report.start({ name: 'reading', unit: 'rows', waitingFor: () => 'waiting for a worker' });
  try {
    for (;;) {
      const response = await service.request(path);
      if (response.status !== 200) throw await service.refusalOf(response);
      const { preview } = await service.answer<BulkJobResponse>(response, JOB);
      if (preview !== null) return preview;
      await service.pause(POLL_MS);
    }
  } finally {
    await service.request(path, { method: 'DELETE' }).catch(() => undefined);
  }
}

function textOf(preview: ListPreviewResponse): string {
  const { eta_seconds: eta, providers, warnings } = preview;
  const lines: [string, string | number][] = [
    ['unique addresses', preview.unique],
    ['duplicates', preview.duplicates],
    ['answer is stored', preview.stored],
    ['no addresses', preview.invalid_syntax],
    ['disposable', preview.disposable],
    ['role addresses', preview.role],
    ['privacy relays', preview.privacy_relay],
    ['dead domains', preview.dead_domains],
    ['units at most', preview.max_charge],
    ['seconds', `${eta.low} to ${eta.high}`],
    ...providers.map(({ name, addresses }): [string, number] => [`at ${name}`, addresses]),
  ];
  return [
    plural(preview.rows, 'row'),
    ...lines.map(([label, value]) => `  ${label} ${value}`),
    ...warnings.map(
      ({ line, message }) =>
        `warning: ${line === undefined ? '' : `line ${line}: `}${inCommandTerms(message)}`,
    ),
  ].join('\n');
}
