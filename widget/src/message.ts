import type { Settings } from './settings';

let count = 0;

/**
 * The text below an input, announced by screen readers when it changes. `data-rcpt-message` of the input is
 * the id of an element of the page to use; otherwise one is inserted after the input or its label.
 */
export class Message {
  private readonly element: HTMLElement;
  private readonly isOwn: boolean;

  constructor(
    private readonly input: HTMLInputElement,
    private readonly settings: Settings,
  ) {
    const root = input.getRootNode() as Document | ShadowRoot;
    const given = root.getElementById(input.dataset.rcptMessage ?? '');
    this.isOwn = given === null;
    this.element = given ?? document.createElement('div');
    if (this.isOwn) this.element.className = settings.text('messageClass');
    this.element.id ||= `rcpt-message-${++count}`;
    // A live region announces changes only if it is in the page before them.
    this.element.ariaLive = 'polite';
    this.element.ariaAtomic = 'true';
    // Inside of a label the message would become part of the name of the input.
    if (this.isOwn) (input.closest('label') ?? input).after(this.element);
    const described = input.getAttribute('aria-describedby')?.split(/\s+/).filter(Boolean) ?? [];
    if (!described.includes(this.element.id))
      input.setAttribute('aria-describedby', [...described, this.element.id].join(' '));
  }

  /**
   * @param address the suggested one.
   * @param accept called with it when the user accepts it.
   */
  show(text: string, address: string | null, decision: string, accept: (address: string) => void): void {
    const label = this.settings.text('suggestion');
    const parts: (string | Node)[] = text === '' ? [] : [text];
    if (address && address !== this.input.value && label !== '') {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = this.settings.text('suggestionClass');
      button.textContent = label.replace('{address}', () => address);
      button.addEventListener('click', () => accept(address));
      if (parts.length > 0) parts.push(' ');
      parts.push(button);
    }
    this.element.dataset.rcptDecision = decision;
    this.element.replaceChildren(...parts);
  }

  /** A text for the time being; an empty one removes it. */
  say(text: string): void {
    this.element.replaceChildren(text);
  }

  /** A line below what the user is told. */
  explain(text: string): void {
    const line = document.createElement('div');
    line.textContent = `rcpt.js: ${text}`;
    this.element.append(line);
  }

  /** Assistive technology waits for the end of the change. */
  setBusy(isBusy: boolean): void {
    this.element.ariaBusy = isBusy ? 'true' : null;
  }

  clear(): void {
    this.setBusy(false);
    if (this.element.hasChildNodes()) this.element.replaceChildren();
    delete this.element.dataset.rcptDecision;
  }

  remove(): void {
    this.clear();
    if (this.isOwn) this.element.remove();
  }
}
