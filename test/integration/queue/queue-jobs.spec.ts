import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { BulkQueue } from '../../../src/modules/bulk/domain/bulk-queue.js';
import { RecheckQueue } from '../../../src/modules/verification/domain/recheck-queue.js';
import { WebhookQueue } from '../../../src/modules/webhooks/domain/webhook-queue.js';
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
