import { Field } from './field';
import { HeldForms } from './held-forms';
import { Settings } from './settings';
import type { Service } from './verdict';

/** A page may insert the script twice. */
const STARTED = Symbol.for('rcpt.js');

/** Of `data-rcpt-style`. Unlike an element with styles, it needs no permission of the page's Content-Security-Policy. */
const STYLE = `.rcpt-message{min-height:1.5em;font-size:.875em}
.rcpt-message[data-rcpt-decision=reject]{color:light-dark(#b00020,#ff9aa2)}
.rcpt-suggestion{border:0;padding:0;background:0 0;color:inherit;font:inherit;text-decoration:underline;cursor:pointer}
input[data-rcpt-state=reject]{border-color:light-dark(#b00020,#ff9aa2)}`;

/** Events are handled at the document, so that inputs added later work too. */
function start(script: HTMLElement, service: Service): void {
  const fields = new Map<HTMLInputElement, Field>();
  const roots = new WeakSet<Node>();
  const fieldsOf = (form: HTMLFormElement) =>
    [...(form.getRootNode() as ParentNode).querySelectorAll<HTMLInputElement>('input[data-rcpt]')]
      .filter((input) => input.form === form)
      .map(fieldOfInput);
  const forms = new HeldForms(fieldsOf);
  /** Between a click and the validation that it causes. */
  let isSubmitting = false;

  function fieldOfInput(input: HTMLInputElement): Field {
    const field = fields.get(input) ?? new Field(input, new Settings(input, script), service);
    fields.set(input, field);
    return field;
  }

  function fieldOf(event: Event): Field | null {
    // The target inside of an open shadow root.
    const [input] = event.composedPath();
    if (!(input instanceof HTMLInputElement) || !input.hasAttribute('data-rcpt')) return null;
    return fieldOfInput(input);
  }

  function removeStale(): void {
    for (const [input, field] of fields)
      if (input.isConnected) field.clearIfStale();
      else {
        field.remove();
        fields.delete(input);
      }
  }

  /** The message of the widget says why; the one of the browser would cover it. */
  function showMessage(event: Event): void {
    removeStale();
    const field = fieldOf(event);
    // A script that only asks whether the form is valid must not move the focus.
    if (!field?.isRejected || !(isSubmitting || forms.released)) return;
    event.preventDefault();
    if (field.input.form?.querySelector('input:invalid') === field.input) field.input.focus();
  }

  /** In the capture phase: the page may stop the propagation. */
  const on = <T extends Event>(root: Node, type: string, listener: (event: T) => void) =>
    root.addEventListener(type, listener as (event: Event) => void, true);

  /** Events that do not leave a shadow root. */
  function listenIn(root: Node): void {
    if (roots.has(root)) return;
    roots.add(root);
    on(root, 'change', (event) => fieldOf(event)?.scheduleCheck());
    on(root, 'reset', (event) => {
      for (const [input, field] of fields) if (input.form === event.target) field.clear();
      forms.cancel(event.target as HTMLFormElement);
    });
    on(root, 'invalid', showMessage);
    on<SubmitEvent>(root, 'submit', (event) => {
      forms.onSubmit(event);
      for (const field of fieldsOf(event.target as HTMLFormElement)) field.placeProof();
    });
  }

  const rootOf = (event: Event) => (event.composedPath()[0] as Node).getRootNode();

  // Safari below 16.4 has no style sheets that are made by scripts.
  if ('rcptStyle' in script.dataset && 'adoptedStyleSheets' in document) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  listenIn(document);
  on(document, 'focusin', (event) => {
    listenIn(rootOf(event));
    removeStale();
    fieldOf(event);
  });
  on(document, 'focusout', (event) => {
    const { activeElement } = rootOf(event) as Document | ShadowRoot;
    // Otherwise the window lost the focus, perhaps in the middle of an address.
    if (activeElement !== event.composedPath()[0]) fieldOf(event)?.scheduleCheck();
  });
  on(document, 'input', (event) => {
    const field = fieldOf(event);
    field?.clear();
    if (field) forms.cancel(field.input.form);
  });
  addEventListener('pagehide', () => forms.cancelAll());
  // Before the validation of a form. Enter in an input clicks the button of the form.
  on(document, 'click', (event) => {
    listenIn(rootOf(event));
    removeStale();
    isSubmitting = true;
    setTimeout(() => (isSubmitting = false));
  });
}

const script = document.currentScript as HTMLScriptElement | null;
const key = script?.dataset.key ?? '';
if (script === null || !key.startsWith('rcpt_pub_'))
  console.error(
    'rcpt.js: set data-key to a publishable key (rcpt_pub_…). Never put a secret key into a page.',
  );
else if (!(STARTED in document)) {
  Object.defineProperty(document, STARTED, { value: true });
  start(script, { key, url: new URL('v1/verify', script.src).href });
}
