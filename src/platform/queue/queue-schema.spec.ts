import { expect, it } from '@jest/globals';
import { LATEST_SCHEMA_VERSION } from 'bullmq';
import { QUEUE_SCHEMA_VERSION } from './queue-schema.js';

it('the version of the queue’s tables that we ask for is the one that the library brings', () => {
  expect(QUEUE_SCHEMA_VERSION).toBe(LATEST_SCHEMA_VERSION);
});
