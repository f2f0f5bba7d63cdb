import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { WorkerHost } from '@nestjs/bullmq';
import type { Type } from '@nestjs/common';
import type { Job } from 'bullmq';
import { DataSource } from 'typeorm';
import { BulkProcessor } from '../../../src/modules/bulk/bulk.processor.js';
import { BulkQueue } from '../../../src/modules/bulk/domain/bulk-queue.js';
import { RecheckQueue } from '../../../src/modules/verification/domain/recheck-queue.js';
import { RechecksProcessor } from '../../../src/modules/verification/rechecks.processor.js';
import { WebhookQueue } from '../../../src/modules/webhooks/domain/webhook-queue.js';
import { WebhooksProcessor } from '../../../src/modules/webhooks/webhooks.processor.js';
import { anApp, type TestApp } from '../../support/app/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await anApp();
});
afterAll(() => app.stop());

const jobs = () =>
  app.service.app
    .get(DataSource)
    .query<object[]>('SELECT queue, name, id, data FROM bullmq.job ORDER BY queue');

it('jobs are named after their work, and contain only ids', async () => {
  const { service } = app;
  await service.app.get(BulkQueue).enqueueChunks([{ list: 'l1', no: 3 }]);
  await service.app.get(RecheckQueue).enqueue(['chk_1']);
  await service.app.get(WebhookQueue).enqueue(['dlv_1']);
  expect(await jobs()).toEqual([
    { queue: 'bulk-chunks', name: 'verify-chunk', id: 'bulk-l1-chunk-3', data: { list: 'l1', chunk: 3 } },
    { queue: 'rechecks', name: 'recheck', id: 'recheck-chk_1', data: { check: 'chk_1' } },
    {
      queue: 'webhook-deliveries',
      name: 'deliver-webhook',
      id: 'webhook-dlv_1',
      data: { delivery: 'dlv_1' },
    },
  ]);
});

it('a list gets at most as many jobs as can run at once', async () => {
  const chunks = Array.from({ length: 100 }, (_, no) => ({ list: 'l2', no }));
  await app.service.app.get(BulkQueue).enqueueChunks(chunks);
  const ofList = JSON.stringify(await jobs()).match(/"bulk-l2-chunk-/g);
  expect(ofList).toHaveLength(64);
});

it('enqueueing nothing is not an error', async () => {
  const before = await jobs();
  await app.service.app.get(WebhookQueue).enqueue([]);
  expect(await jobs()).toEqual(before);
});

it.each<[string, Type<WorkerHost>]>([
  ['bulk', BulkProcessor],
  ['rechecks', RechecksProcessor],
  ['webhooks', WebhooksProcessor],
])('a job that an earlier version has named is accepted by the processor of %s', async (_, processor) => {
  const job = { name: 'ring', data: { list: 'l1', chunk: 3 } } as Job;
  await expect(app.service.app.get(processor).process(job)).resolves.toBeUndefined();
});
