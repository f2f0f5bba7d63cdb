import { describe, expect, it } from '@jest/globals';
import { OpenTelemetryTracing, requestSpan } from './open-telemetry-tracing.js';

describe('without the SDK of OpenTelemetry', () => {
  const tracing = new OpenTelemetryTracing();

  it('nothing is traced, and work has its result and its error', async () => {
    expect(requestSpan()).toBeNull();
    expect(await tracing.run('work', null, {}, async () => tracing.traceparent())).toBeNull();
    const failure = new Error('failed');
    await expect(tracing.run('work', null, {}, () => Promise.reject(failure))).rejects.toBe(failure);
  });
});
