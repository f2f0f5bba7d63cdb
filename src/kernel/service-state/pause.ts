import { DomainError, type ErrorDefinition } from '../errors.js';

export class Paused extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'paused',
    status: 503,
    title: 'The service is paused',
    detail:
      'The service is paused: it shows what is stored, and sends nothing. The operator ends this with `rcpt resume`.',
    help: 'The service was started or restored with `--paused`. It sends nothing to mail servers, webhooks, sources of lists, the payment provider and the mail server. Work that was accepted before waits. The operator ends this with `rcpt resume`. Test keys can verify single addresses meanwhile.',
  };
}

/**
 * Whether the installation is paused, as a copy of another one should be. All processes of a database are paused
 * together.
 */
export class Pause {
  private at: Date | null = null;
  private readonly callbacks: (() => void)[] = [];

  /** When it was paused; null: it is not. May be some seconds old. */
  get since(): Date | null {
    return this.at;
  }

  get isPaused(): boolean {
    return this.at !== null;
  }

  /** Call it before anything is sent to another system. @throws Paused */
  requireActive(): void {
    if (this.isPaused) throw new Paused();
  }

  /** Calls `callback` after each beginning and end. */
  onChange(callback: () => void): void {
    this.callbacks.push(callback);
  }

  set(since: Date | null): void {
    const isChange = this.isPaused !== (since !== null);
    this.at = since;
    if (isChange) for (const callback of this.callbacks) callback();
  }
}
