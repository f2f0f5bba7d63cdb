import type { Field } from './field';

/** What a form is submitted with, which the submission after the wait repeats. */
interface Held {
  submitter: HTMLElement | null;
}

/** Forms whose submission waits for verdicts. */
export class HeldForms {
  private readonly held = new Map<HTMLFormElement, Held>();
  /** The form that is being sent after its wait. */
  released: HTMLFormElement | null = null;

  /** @param fieldsOf the inputs of a form that are verified. */
  constructor(private readonly fieldsOf: (form: HTMLFormElement) => Field[]) {}

  /** Before the listeners of the page: what they send is the form after the wait. */
  onSubmit(event: SubmitEvent): void {
    const { submitter } = event;
    const form = event.target as HTMLFormElement;
    // A button that sends the form without validation does not need a verdict either.
    if (form === this.released || (submitter as HTMLButtonElement | null)?.formNoValidate) return;
    // Safari below 16 cannot repeat a submission.
    if (!HTMLFormElement.prototype.requestSubmit) return;
    let held = this.held.get(form);
    if (held) held.submitter = submitter;
    else {
      const verdicts = this.fieldsOf(form)
        .map((field) => field.awaitVerdict())
        .filter((verdict) => verdict !== null);
      if (verdicts.length === 0) return;
      held = { submitter };
      this.held.set(form, held);
      void Promise.all(verdicts).then(() => this.release(form, held as Held));
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** The address is being edited: what was submitted is not what the user wants to send. */
  cancel(form: HTMLFormElement | null): void {
    if (form !== null) this.held.delete(form);
  }

  /** Sends the form as it was submitted. Validation by the browser stops it if an address is refused. */
  private release(form: HTMLFormElement, held: Held): void {
    if (this.held.get(form) !== held) return;
    this.held.delete(form);
    this.released = form;
    const { submitter } = held;
    // The page may have replaced the button in the meantime.
    const isOfForm = submitter?.isConnected && (submitter as HTMLButtonElement).form === form;
    // An input of the page may have the name `requestSubmit`.
    HTMLFormElement.prototype.requestSubmit.call(form, isOfForm ? submitter : null);
    this.released = null;
  }
}
