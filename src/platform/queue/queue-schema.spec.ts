import { expect, it } from '@jest/globals';
import { LATEST_SCHEMA_VERSION } from 'bullmq';
import { QUEUE_SCHEMA_VERSION } from './queue-schema.js';

it('QUEUE_SCHEMA_VERSION is the latest version of the BullMQ schema', () => {
  expect(QUEUE_SCHEMA_VERSION).toBe(LATEST_SCHEMA_VERSION);
});
