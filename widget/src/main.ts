import { Field } from './field';
import { settingsOf } from './settings';
import type { Service } from './verdict';

/** A page may insert the script twice. */
const STARTED = Symbol.for('rcpt.js');

/** Events are handled at the document, so that inputs added later work too. */
function start(script: HTMLElement, service: Service): void {
  const fields = new Map<HTMLInputElement, Field>();

  function fieldOf(event: Event): Field | null {
    // The target inside of an open shadow root.
    const [input] = event.composedPath();
    if (!(input instanceof HTMLInputElement) || !input.hasAttribute('data-rcpt')) return null;
    const field = fields.get(input) ?? new Field(input, settingsOf(input, script), service);
    fields.set(input, field);
    return field;
  }

  function removeStale(): void {
    for (const [input, field] of fields)
      if (input.isConnected) field.clearIfStale();
      else {
        field.remove();
        fields.delete(input);
      }
  }

  // In the capture phase: the page may stop the propagation.
  const on = (type: string, listener: (event: Event) => void) =>
    document.addEventListener(type, listener, true);
  on('focusin', (event) => {
    removeStale();
    fieldOf(event);
  });
  on('focusout', (event) => {
    const input = event.composedPath()[0] as Node;
    const { activeElement } = input.getRootNode() as Document | ShadowRoot;
    // Otherwise the window lost the focus, perhaps in the middle of an address.
    if (activeElement !== input) fieldOf(event)?.scheduleCheck();
  });
  on('input', (event) => fieldOf(event)?.clear());
  on('change', (event) => fieldOf(event)?.scheduleCheck());
  on('reset', (event) => {
    for (const [input, field] of fields) if (input.form === event.target) field.clear();
  });
  // Before the validation of a form, and after one that failed.
  on('click', removeStale);
  on('invalid', removeStale);
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
