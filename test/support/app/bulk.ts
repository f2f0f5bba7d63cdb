import { BulkTasks } from '../../../src/modules/lists/bulk/bulk.tasks.js';
import { BulkProcessor } from '../../../src/modules/lists/bulk/work/bulk.processor.js';
import { BulkVerificationService } from '../../../src/modules/lists/bulk/work/bulk-verification.service.js';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import type { BulkResultResponse } from '../../../src/modules/lists/bulk/results/bulk-results.dto.js';
import {
  ChunkRepository,
  type LeasedChunk,
} from '../../../src/modules/lists/bulk/domain/chunk.repository.js';
import { PreviewRepository } from '../../../src/modules/lists/bulk/domain/preview.repository.js';
import { RecheckRepository } from '../../../src/modules/verification/verification/domain/recheck.repository.js';
import { RechecksProcessor } from '../../../src/modules/lists/rechecks/rechecks.processor.js';
import { leaseOf, workAll } from '../queue/team-work.js';
import type { TestApp } from './app.js';

/** Does the work of the jobs of bulk verifications and of rechecks, until nothing waits. */
export async function workOn(app: TestApp): Promise<void> {
  await verifyOn(app);
  await recheckOn(app);
}

/** Does the work of the jobs of bulk verifications, until no chunk can be claimed. */
export async function verifyOn({ service: { app } }: TestApp): Promise<void> {
  await workAll(app.get(BulkProcessor), () => app.get(ChunkRepository).listWaitingTeams());
}

/** Does the work of the jobs of rechecks, until none is due. */
export async function recheckOn({ service: { app } }: TestApp, signal?: AbortSignal): Promise<void> {
  const teams = () => app.get(RecheckRepository).listWaitingTeams();
  await workAll(app.get(RechecksProcessor), teams, signal);
}

/** Verifies one chunk of any team. @returns false when none can be claimed. */
export async function verifyNext(app: TestApp, signal = new AbortController().signal): Promise<boolean> {
  const chunk = await claimNext(app);
  if (chunk !== null) await leaseOf(app, BulkVerificationService, chunk).work(signal);
  return chunk !== null;
}

/** Claims one chunk of any team. */
export async function claimNext(app: TestApp): Promise<LeasedChunk | null> {
  const chunks = app.service.app.get(ChunkRepository);
  for (const team of await chunks.listWaitingTeams()) {
    const chunk = await chunks.claim(team);
    if (chunk !== null) return chunk;
  }
  return null;
}

export function upkeepOf(app: TestApp): BulkTasks {
  return app.service.app.get(BulkTasks);
}

/** @param emails entries of the JSON body. */
export async function aBulkJob(
  app: TestApp,
  key: string,
  emails: readonly unknown[],
  more: object = {},
): Promise<BulkJobResponse> {
  const answer = await app.post('/v1/verify/bulk', key).send({ emails, ...more });
  if (answer.status !== 202) throw new Error(`not taken: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as BulkJobResponse;
}

/** As `aBulkJob`, held. */
export async function aHeldJob(
  app: TestApp,
  key: string,
  emails: readonly unknown[],
  more: object = {},
): Promise<BulkJobResponse> {
  const answer = await app.post('/v1/verify/bulk?hold=true', key).send({ emails, ...more });
  if (answer.status !== 202) throw new Error(`not taken: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as BulkJobResponse;
}

/** Makes the previews of held lists. */
export async function previewOn({ service: { app } }: TestApp): Promise<void> {
  await workAll(app.get(BulkProcessor), () => app.get(PreviewRepository).listWaitingTeams());
}

/** Submits a body unchanged. */
export async function sendList(
  app: TestApp,
  key: string,
  body: string | Buffer,
  type: string,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Record<string, string>; body: unknown }> {
  const answer = await fetch(`${app.url}/v1/verify/bulk${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': type, ...headers },
    body: Buffer.from(body),
  });
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: await answer.json(),
  };
}

export async function jobOf(app: TestApp, key: string, id: string): Promise<BulkJobResponse> {
  return (await app.get(`/v1/bulk-jobs/${id}`, key)).body as BulkJobResponse;
}

/** Reads all rows, page by page. */
export async function resultsOf(
  app: TestApp,
  key: string,
  id: string,
  filter = '',
): Promise<BulkResultResponse[]> {
  const rows: BulkResultResponse[] = [];
  let cursor = '';
  do {
    const answer = await app.get(`/v1/bulk-jobs/${id}/results?limit=1000${filter}${cursor}`, key);
    if (answer.status !== 200) throw new Error(`no results: ${answer.status} ${JSON.stringify(answer.body)}`);
    const page = answer.body as { data: BulkResultResponse[]; next_cursor: string | null };
    rows.push(...page.data);
    cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
  } while (cursor !== '');
  return rows;
}
