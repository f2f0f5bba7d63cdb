import { DomainError, type ErrorFact } from './domain-error.js';

export class LiveKeyRequired extends DomainError {
  static readonly fact: ErrorFact = {
    code: 'live_key_required',
    kind: 'forbidden',
    title: 'A test key may not do this',
    help: 'Test keys read, verify, submit bulk jobs and manage test webhooks; all else takes a live key.',
  };
  constructor() {
    super('A test key may not do this; use a live key.');
  }
}
