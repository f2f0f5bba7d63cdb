import type { Field } from './field';
import { warn } from './verdict';

/** What a form is submitted with, which the submission after the wait repeats. */
interface Held {
  submitter: HTMLElement | null;
  fields: Field[];
  /** Where the form is: one that was removed from it is in no document. */
  root: ParentNode;
  /** It repeats the submission of a form that the page has rendered again. */
  isRepeated: boolean;
}

/** Forms whose submission waits for verdicts. Whatever fails, a form is sent as it was. */
export class HeldForms {
  private readonly held = new Map<HTMLFormElement, Held>();
  /** The form that is being sent after its wait. */
  released: HTMLFormElement | null = null;
  /** The form to which a submission has moved. */
  private moved: HTMLFormElement | null = null;

  /** @param fieldsOf the inputs of a form that are verified. */
  constructor(private readonly fieldsOf: (form: HTMLFormElement) => Field[]) {}

  /** Before the listeners of the page: what they send is the form after the wait. */
  onSubmit(event: SubmitEvent): void {
    const { submitter } = event;
    const form = event.target as HTMLFormElement;
    if (form === this.released) return;
    // A script that only calls the listeners of the page sends no form; nor does a listener that came before this one.
    if (!event.isTrusted || event.defaultPrevented) return;
    // A button that sends the form without validation does not need a verdict either.
    if ((submitter as HTMLButtonElement | null)?.formNoValidate) return this.cancel(form);
    // Safari below 16 cannot repeat a submission.
    if (!HTMLFormElement.prototype.requestSubmit) return;
    let held = this.held.get(form);
    if (held) held.submitter = submitter;
    else {
      const root = form.getRootNode() as ParentNode & Node;
      const fields = this.fieldsOf(form);
      const verdicts = fields.map((field) => field.awaitVerdict()).filter((verdict) => verdict !== null);
      if (verdicts.length === 0) return;
      held = { submitter, fields, root, isRepeated: form === this.moved };
      this.held.set(form, held);
      // The browser ignores a submission until it has ended this one, and a request that the page forbids fails before.
      const release = () => setTimeout(() => this.release(form, held as Held));
      void Promise.all(verdicts).then(release, release);
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** The address is being edited: what was submitted is not what the user wants to send. */
  cancel(form: HTMLFormElement | null): void {
    if (form !== null) this.held.delete(form);
  }

  /** The user has left the page, and may come back to it as it is. */
  cancelAll(): void {
    this.held.clear();
  }

  /** Sends the form as it was submitted. Validation by the browser stops it if an address is refused. */
  private release(form: HTMLFormElement, held: Held): void {
    if (this.held.get(form) !== held) return;
    this.held.delete(form);
    const isSame = held.fields.every(({ input }) => input.isConnected && input.form === form);
    const target = isSame ? form : formAfter(form, held);
    if (target === null) return warn('the page has removed a form that waited, and it was not sent');
    // Inputs that the page has rendered again have no verdict yet.
    if (isSame || held.isRepeated) this.released = target;
    else this.moved = target;
    submit(target, held.submitter);
    this.released = this.moved = null;
  }
}

/** The form that the page has rendered in the place of one that waited: it has the same address. */
function formAfter(form: HTMLFormElement, { fields, root }: Held): HTMLFormElement | null {
  const inputs = [...root.querySelectorAll<HTMLInputElement>('input[data-rcpt]')];
  const same = inputs.find((one) =>
    fields.some(({ input }) => one.form && one.name === input.name && one.value === input.value),
  );
  return same?.form ?? (form.isConnected ? form : null);
}

function submit(form: HTMLFormElement, submitter: HTMLElement | null): void {
  let button = submitter;
  // The page has replaced the button, which names a value or another URL.
  if (button && !(button.isConnected && (button as HTMLButtonElement).form === form)) {
    button = button.cloneNode() as HTMLElement;
    button.hidden = true;
    button.removeAttribute('form');
    Element.prototype.append.call(form, button);
  }
  // An input of the page may have the name `requestSubmit`, or `append`.
  const request = (by: HTMLElement | null) => HTMLFormElement.prototype.requestSubmit.call(form, by);
  try {
    request(button);
  } catch {
    // No longer a button that submits.
    request(null);
  }
  if (button !== submitter) button?.remove();
}
