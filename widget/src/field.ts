import { Message } from './message';
import type { Settings } from './settings';
import { requestVerdict, type Service, type Verdict } from './verdict';

/** `change` and `focusout` follow each other. */
const DEBOUNCE_MS = 150;
const TIMEOUT_MS = 2_000;

/** An input with `data-rcpt`. Only a verdict whose decision is `reject` makes it invalid. */
export class Field {
  private readonly message: Message;
  /** The value that was sent to the service; the message and the validity are about it. */
  private checked: string | null = null;
  private request: AbortController | null = null;
  private timer: number | undefined;
  private isRejected = false;

  constructor(
    private readonly input: HTMLInputElement,
    private readonly settings: Settings,
    private readonly service: Service,
  ) {
    this.message = new Message(input, settings);
  }

  scheduleCheck(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(), DEBOUNCE_MS);
  }

  clear(): void {
    window.clearTimeout(this.timer);
    this.request?.abort();
    this.request = null;
    this.checked = null;
    this.message.clear();
    if (!this.isRejected) return;
    this.isRejected = false;
    this.input.setCustomValidity('');
    this.input.removeAttribute('aria-invalid');
  }

  /** A script of the page may have changed the value, which causes no event. */
  clearIfStale(): void {
    if (this.checked !== null && this.checked !== this.input.value) this.clear();
  }

  remove(): void {
    this.clear();
    this.message.remove();
  }

  private async check(): Promise<void> {
    const { value, multiple, validity } = this.input;
    if (value === this.checked) return;
    this.clear();
    // An address that the browser rejects needs no request. `multiple` allows a list of addresses.
    if (multiple || !validity.valid || !/.@./.test(value)) return;
    this.checked = value;
    const request = new AbortController();
    this.request = request;
    this.message.setBusy(true);
    const timeout = window.setTimeout(() => request.abort(), TIMEOUT_MS);
    const verdict = await requestVerdict(this.service, value.trim(), request.signal).catch(() => null);
    window.clearTimeout(timeout);
    if (this.request !== request) return;
    this.request = null;
    this.message.setBusy(false);
    // Without a verdict nothing blocks the form, and the next blur asks again.
    if (verdict === null || this.input.value !== value) this.clear();
    else this.apply(verdict);
  }

  /** A page that cancels the event shows the verdict itself. */
  private apply(verdict: Verdict): void {
    const event = new CustomEvent('rcpt:verdict', { bubbles: true, cancelable: true, detail: verdict });
    if (!this.input.dispatchEvent(event)) return;
    const text = this.textOf(verdict);
    if (text !== '') {
      this.isRejected = true;
      this.input.setCustomValidity(text);
      this.input.setAttribute('aria-invalid', 'true');
    }
    this.message.show(text, verdict, (address) => this.accept(address));
  }

  private textOf({ status, policy }: Verdict): string {
    if (policy.decision !== 'reject' || status === 'unknown') return '';
    return this.settings(status === 'undeliverable' ? 'undeliverable' : 'rejected');
  }

  /** React and others replace `value` of the element itself and ignore values that were set through it. */
  private accept(address: string): void {
    const { input } = this;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, address);
    // The button is removed; without this the focus would be lost.
    input.focus();
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
  }
}
