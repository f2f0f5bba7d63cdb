import { textsIn, type Texts } from './texts';

const CLASSES = { messageClass: 'rcpt-message', suggestionClass: 'rcpt-suggestion' };
const MAX_WAIT_MS = 10_000;

/** Settings in `data-rcpt-…` attributes of the input or, for all inputs, of the script. */
export class Settings {
  constructor(
    private readonly input: HTMLElement,
    private readonly script: HTMLElement,
  ) {}

  /** A text or a class. An empty text: the form is not blocked, or there is no button. */
  text(name: keyof Texts | keyof typeof CLASSES): string {
    const language = (this.input.closest<HTMLElement>('[lang]') ?? document.documentElement).lang;
    return this.attribute(name) ?? { ...CLASSES, ...textsIn(language) }[name];
  }

  /** How long a submission waits for the verdict, in milliseconds; 0: not at all. */
  get wait(): number {
    const wait = Number(this.attribute('wait'));
    return wait > 0 ? Math.min(wait, MAX_WAIT_MS) : 0;
  }

  /** The name of the hidden field with the proof. */
  get proofField(): string {
    return this.attribute('proofField') ?? 'rcpt_proof';
  }

  get isDebugged(): boolean {
    return this.attribute('debug') !== undefined;
  }

  /** The statuses and reasons that the form refuses, and `policy`; null: the policy of the team decides. */
  get rejected(): string[] | null {
    return this.attribute('reject')?.split(/[\s,]+/) ?? null;
  }

  private attribute(name: string): string | undefined {
    const key = `rcpt${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return this.input.dataset[key] ?? this.script.dataset[key];
  }
}
