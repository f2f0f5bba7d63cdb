import type { ErrorFacts } from '../../kernel/errors.js';

/** To a thread: one body after the other, each with as many pieces as the thread asks for. */
export type ThreadRequest =
  | { kind: 'open'; module: string; options: unknown }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'end' }
  /** Nobody waits for the rest. */
  | { kind: 'stop' };

/** What a thread has used. */
export interface ThreadUse {
  /** Processor time since its start; where the system does not tell it, the time in which it computed. */
  cpuMs: number;
  /** Its heap now. */
  heapBytes: number;
}

/** The answer to each request but `stop`. */
export interface ThreadAnswer {
  /** What was read since the answer before. */
  batches: readonly unknown[];
  /** `more`: send the next piece, or the end. */
  state: 'more' | 'ended' | 'failed';
  /** Why it failed: an expected error, or another one. */
  error?: { expected: ErrorFacts } | { unexpected: Error };
  use: ThreadUse;
}

/** The first message of a thread. */
export interface ThreadReady {
  /** Where Linux shows its processor time; null: another system. */
  task: string | null;
}
