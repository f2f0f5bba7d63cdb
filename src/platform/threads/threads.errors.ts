import { DomainError, type ErrorDefinition } from '../../kernel/errors.js';

const WHY = {
  time: 'Reading this body takes far more time than one of its size should take.',
  memory: 'Reading this body takes far more memory than one of its size should take.',
} as const;

export type ReadingLimit = keyof typeof WHY;

export class ReadingTooCostly extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'reading_too_costly',
    status: 422,
    title: 'The body costs too much to read',
    help: 'Each body may use an amount of processor time and memory that grows with its size and is many times what a usual one needs. This one was given up, and nothing was charged. Look for extremely long cells or lines, thousands of columns, or deep nesting; or send the list as a plain CSV with one address per row. The rows of a file with outcomes before the place are stored: what is stored already is a duplicate.',
  };

  constructor(readonly limit: ReadingLimit) {
    super(WHY[limit]);
  }
}
