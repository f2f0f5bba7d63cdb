import type { NamedError } from '../../kernel/errors.js';

/** What the module of a reader exports: it reads a body in a thread, and gives what it contains in batches. */
export interface ReaderModule<Options, Batch> {
  /** Options and batches are copied between the threads: they contain no functions, and no objects of classes. */
  read: (bytes: AsyncIterable<Buffer>, options: Options) => AsyncIterable<Batch>;
}

/** A reader of bodies, which runs in a thread. */
export interface BodyReader<Options, Batch> {
  /** The URL of its `ReaderModule`. */
  module: string;
  /** The expected errors that it throws. Others are failures of the service. */
  errors: readonly NamedError[];
  /** Of the types only. */
  types?: ReaderModule<Options, Batch>;
}

/** @param module as `import.meta.resolve` gives it. */
export function bodyReader<Module>(
  module: string,
  errors: readonly NamedError[],
): Module extends ReaderModule<infer Options, infer Batch> ? BodyReader<Options, Batch> : never {
  return { module, errors } as never;
}
