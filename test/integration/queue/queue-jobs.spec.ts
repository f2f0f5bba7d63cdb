import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { BulkQueue } from '../../../src/modules/lists/bulk/domain/bulk-queue.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { RecheckQueue } from '../../../src/modules/verification/verification/domain/recheck-queue.js';
import { WebhookQueue } from '../../../src/modules/events/webhooks/domain/webhook-queue.js';

let app: TestApp;
beforeAll(async () => {
  app = await anApp();
});
afterAll(() => app.stop());

const jobs = () =>
  app.service.app.get(DataSource).query<object[]>('SELECT queue, name, data FROM bullmq.job ORDER BY queue');

it('jobs are named after their work, and contain only the id of a team and a number', async () => {
  const { team } = await app.anAccount();
  for (const queue of [BulkQueue, RecheckQueue, WebhookQueue])
    await app.service.app.get(queue).enqueue([team.id]);
  expect(await jobs()).toEqual([
    { queue: 'bulk-chunks', name: 'verify-chunk', data: { team: team.id, held: 0 } },
    { queue: 'rechecks', name: 'recheck', data: { team: team.id, held: 0 } },
    { queue: 'webhook-deliveries', name: 'deliver-webhook', data: { team: team.id, held: 0 } },
  ]);
});

it('enqueueing nothing is not an error', async () => {
  const before = await jobs();
  await app.service.app.get(WebhookQueue).enqueue([]);
  expect(await jobs()).toEqual(before);
});
