import type { Settings } from './settings';
import { requestVerdict, type Service } from './verdict';

/** Of the 30 minutes for which a proof is valid. */
const RENEW_MS = 28 * 60_000;
/** A page that stays open must not send requests for ever. */
const MAX_RENEWALS = 4;

/** By address: the page may render the input again. */
const proofs = new Map<string, string>();

/** The hidden field by which the server of the page gets the proof of the address. */
export class ProofField {
  private readonly element = document.createElement('input');
  /** Ends when the address changes. */
  private life = new AbortController();

  constructor(
    private readonly input: HTMLInputElement,
    private readonly settings: Settings,
    private readonly service: Service,
  ) {
    this.element.type = 'hidden';
  }

  private get address(): string {
    return this.input.value.trim();
  }

  /** @param renewals how often the page may get a new one before this one expires. */
  set(proof: string, renewals = MAX_RENEWALS): void {
    const { input, address, service } = this;
    const { signal } = (this.life = new AbortController());
    proofs.set(address, proof);
    this.place();
    const renew = (): void => {
      if (signal.aborted || !input.isConnected || address !== this.address || !renewals) return;
      if (document.hidden) document.addEventListener('visibilitychange', renew, { once: true });
      else
        void requestVerdict(service, address, signal).then((verdict) => {
          if (typeof verdict !== 'string' && verdict.proof && !signal.aborted)
            this.set(verdict.proof, renewals - 1);
        });
    };
    setTimeout(renew, RENEW_MS);
  }

  /** The page may have removed the field, moved the input to another form, or changed the address. */
  place(): void {
    const { element, input } = this;
    const proof = proofs.get(this.address);
    if (!proof || !input.form) return element.remove();
    element.name = this.settings.proofField;
    element.value = proof;
    // An input of the page may have the name `append`.
    if (element.form !== input.form) Element.prototype.append.call(input.form, element);
  }

  clear(): void {
    this.life.abort();
    this.element.remove();
  }
}
