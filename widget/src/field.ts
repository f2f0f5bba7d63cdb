import { Message } from './message';
import { ProofField } from './proof-field';
import type { Settings } from './settings';
import { requestVerdict, warn, type Service, type Verdict } from './verdict';

/** `change` and `focusout` follow each other. */
const DEBOUNCE_MS = 150;
const TIMEOUT_MS = 2_000;
/** Most verdicts come sooner, and a text that is shown only for a moment cannot be read. */
const SILENT_MS = 400;

/** An input with `data-rcpt`. Only a verdict that the form refuses makes it invalid. */
export class Field {
  private readonly message: Message;
  private readonly proof: ProofField;
  /** The value that was sent to the service; the message and the validity are about it. */
  private checked: string | null = null;
  private request: AbortController | null = null;
  /** The end of `request`. */
  private response: Promise<void> = Promise.resolve();
  private timer: number | undefined;
  isRejected = false;

  constructor(
    readonly input: HTMLInputElement,
    private readonly settings: Settings,
    private readonly service: Service,
  ) {
    this.message = new Message(input, settings);
    this.proof = new ProofField(input, settings, service);
  }

  scheduleCheck(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.check(), DEBOUNCE_MS);
  }

  /** @returns null: a submission need not wait; otherwise the verdict, or the end of the time to wait. */
  awaitVerdict(): Promise<void> | null {
    const { wait } = this.settings;
    if (wait === 0 || !this.input.willValidate) return null;
    this.check();
    const { request, message } = this;
    if (request === null) return null;
    const say = (text: string) => {
      if (this.request === request) message.say(text);
    };
    const timer = window.setTimeout(() => say(this.settings.text('checking')), SILENT_MS);
    const end = new Promise<void>((resolve) => setTimeout(resolve, wait));
    return Promise.race([this.response, end]).then(() => {
      window.clearTimeout(timer);
      say('');
    });
  }

  clear(): void {
    window.clearTimeout(this.timer);
    this.request?.abort();
    this.request = null;
    this.checked = null;
    this.message.clear();
    this.proof.clear();
    delete this.input.dataset.rcptState;
    if (!this.isRejected) return;
    this.isRejected = false;
    this.input.setCustomValidity('');
    this.input.removeAttribute('aria-invalid');
  }

  /** Before the form is sent. */
  placeProof(): void {
    this.proof.place();
  }

  /** A script of the page may have changed the value, which causes no event. */
  clearIfStale(): void {
    if (this.checked !== null && this.checked !== this.input.value) this.clear();
  }

  remove(): void {
    this.clear();
    this.message.remove();
  }

  private check(): void {
    const { value, multiple, validity } = this.input;
    window.clearTimeout(this.timer);
    if (value === this.checked) return;
    this.clear();
    // An address that the browser rejects needs no request. `multiple` allows a list of addresses.
    if (multiple || !validity.valid || !/.@./.test(value)) return;
    this.checked = value;
    this.request = new AbortController();
    this.response = this.receive(value, this.request);
  }

  private async receive(value: string, request: AbortController): Promise<void> {
    this.input.dataset.rcptState = 'checking';
    this.message.setBusy(true);
    const timeout = window.setTimeout(() => request.abort(), Math.max(TIMEOUT_MS, this.settings.wait));
    const verdict = await requestVerdict(this.service, value.trim(), request.signal);
    window.clearTimeout(timeout);
    if (this.request !== request) return;
    this.request = null;
    this.message.setBusy(false);
    // Without a verdict nothing blocks the form, and the next blur asks again.
    if (typeof verdict === 'string' || this.input.value !== value) this.clear();
    else this.apply(verdict);
    if (typeof verdict === 'string') {
      warn(verdict);
      this.explain(verdict);
    }
  }

  /** For the developer of the page, with `data-rcpt-debug`. */
  private explain(text: string): void {
    if (this.settings.isDebugged) this.message.explain(text);
  }

  /** A page that cancels the event shows the verdict itself. */
  private apply(verdict: Verdict): void {
    delete this.input.dataset.rcptState;
    if (verdict.proof) this.proof.set(verdict.proof);
    const event = new CustomEvent('rcpt:verdict', { bubbles: true, cancelable: true, detail: verdict });
    const isCanceled = !this.input.dispatchEvent(event);
    const { status, reason, policy } = verdict;
    const said = `${status}, ${reason}, ${policy.decision}`;
    if (isCanceled) return this.explain(`${said}; canceled by the page`);
    const isRefused = this.refuses(verdict);
    const text = isRefused ? this.settings.text(status === 'undeliverable' ? status : 'rejected') : '';
    if (text !== '') {
      this.isRejected = true;
      this.input.setCustomValidity(text);
      this.input.setAttribute('aria-invalid', 'true');
    }
    const decision = isRefused ? 'reject' : policy.decision === 'accept' ? 'accept' : 'review';
    this.input.dataset.rcptState = decision;
    this.message.show(text, verdict.did_you_mean, decision, (address) => this.accept(address));
    this.explain(`${said}: the form is ${text === '' ? '' : 'not '}sent`);
  }

  /** An address about which nothing is known only by a rule of the team, where the page asks for that. */
  private refuses({ status, reason, policy }: Verdict): boolean {
    const { rejected } = this.settings;
    const isRejected = policy.decision === 'reject';
    if (isRejected && rejected?.includes('policy')) return true;
    if (status === 'unknown') return false;
    if (rejected === null) return isRejected;
    return rejected.includes(status) || rejected.includes(reason);
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
