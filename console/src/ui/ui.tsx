import { Link, type LinkProps } from '@tanstack/react-router';
import {
  useId,
  useRef,
  useState,
  type ComponentProps,
  type CSSProperties,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from 'react';
import { useTexts } from '../texts/texts';
import { copyText } from './copy-text';
import { useFieldError } from './form';
import { Icon, type IconName } from './icons';
import styles from './ui.module.css';
import { useCards } from './use-cards';

type Variant = 'primary' | 'danger' | 'quiet';

const buttonClass = (variant?: Variant, isSmall = false) =>
  [styles.button, variant && styles[variant], isSmall && styles.small].filter(Boolean).join(' ');

export function Button({
  variant,
  small,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { variant?: Variant; small?: boolean }) {
  return <button type={type} className={buttonClass(variant, small)} {...rest} />;
}

export function ButtonLink({
  variant,
  children,
  ...rest
}: LinkProps & { variant?: Variant; children: ReactNode }) {
  return (
    <Link className={buttonClass(variant)} {...rest}>
      {children}
    </Link>
  );
}

export function Card({
  title,
  id: place,
  action,
  children,
}: {
  title?: string;
  /** For links to it. */
  id?: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section id={place} className={styles.card} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <div className={`${styles.row} ${styles.between}`}>
          <h2 id={id}>{title}</h2>
          {action}
        </div>
      )}
      {children}
    </section>
  );
}

interface ControlProps {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

/** A control with its label, a hint that belongs to it, and what is wrong with it. */
export function Field({
  label,
  name,
  hint,
  errors: own = [],
  children,
}: {
  label: string;
  /** The member of the request, whose errors stand here. In a `Form`. */
  name?: string;
  hint?: string;
  /** What the page itself has found. */
  errors?: readonly string[];
  children: (props: ControlProps) => ReactElement;
}) {
  const id = useId();
  const refused = useFieldError(name);
  const errors = [...own.map((text) => ({ text, isEnglish: false })), ...refused.texts];
  const isInvalid = errors.length > 0;
  const described = [isInvalid && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean);
  return (
    <div className={styles.field} onChange={refused.forget}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
        ...(isInvalid && { 'aria-invalid': true }),
      })}
      {isInvalid && (
        <div id={`${id}-error`} className={styles.fieldError}>
          {errors.map(({ text, isEnglish }) => (
            <p key={text} lang={isEnglish ? 'en' : undefined}>
              {text}
            </p>
          ))}
        </div>
      )}
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}

export function Check({ label, ...rest }: ComponentProps<'input'> & { label: ReactNode }) {
  return (
    <label className={styles.check}>
      <input type="checkbox" {...rest} />
      <span>{label}</span>
    </label>
  );
}

export type Tone = 'deliverable' | 'undeliverable' | 'risky' | 'unknown' | 'accent';

export function Badge({ tone = 'unknown', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}

/** A shape in addition to the colour, for people who cannot distinguish colours. */
export const STATUS_SIGN = { deliverable: '✓', undeliverable: '✕', risky: '!', unknown: '?' } as const;

export function StatusBadge({ status }: { status: keyof typeof STATUS_SIGN }) {
  const t = useTexts();
  return (
    <Badge tone={status}>
      <span aria-hidden="true">{STATUS_SIGN[status]}</span>
      {t.status[status]}
    </Badge>
  );
}

export function Empty({
  title,
  icon,
  isPage = false,
  children,
}: {
  title: string;
  icon?: IconName;
  /** It is the whole page, and its title that of the page. */
  isPage?: boolean;
  children?: ReactNode;
}) {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div className={styles.empty}>
      {icon !== undefined && (
        <span className={styles.emptyIcon}>
          <Icon name={icon} size={22} />
        </span>
      )}
      <Title>{title}</Title>
      {children}
    </div>
  );
}

/** Text with a button that copies it. */
export function Copy({ text, label }: { text: string; label?: string }) {
  const t = useTexts();
  const place = useRef<HTMLPreElement>(null);
  return (
    <div className={styles.copy}>
      <pre ref={place} tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyButton
        text={text}
        place={place}
        label={label === undefined ? undefined : `${t.common.copy}: ${label}`}
      />
    </div>
  );
}

/** @param place has the text; without one it is the element that the button is in. */
export function CopyButton({
  text,
  label,
  place,
}: {
  text: string;
  label?: string | undefined;
  place?: RefObject<HTMLElement | null>;
}) {
  const t = useTexts();
  const button = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<'copied' | 'selected' | null>(null);
  const copy = async () => {
    const from = place?.current ?? button.current?.parentElement ?? null;
    const isCopied = from !== null && (await copyText(text, from));
    setState(isCopied ? 'copied' : 'selected');
    if (isCopied) setTimeout(() => setState(null), 2_000);
  };
  return (
    <Button
      ref={button}
      small
      onClick={copy}
      aria-live="polite"
      aria-label={state === null ? label : undefined}
    >
      {state === null ? t.common.copy : state === 'copied' ? t.common.copied : t.common.pressCopy}
    </Button>
  );
}

export function Progress({ value, max, label }: { value: number; max: number; label: string }) {
  const percent = max === 0 ? 0 : Math.min(100, Math.round((100 * value) / max));
  return (
    <div
      className={styles.progress}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div style={{ width: `${percent}%` }} />
    </div>
  );
}

/** A table. In a narrow place each row is a card, or the table scrolls sideways, or `className` has a layout. */
export function Table({
  head,
  label,
  align = {},
  isWide = false,
  className = isWide ? '' : styles.cards,
  children,
}: {
  head: ReactNode[];
  label: string;
  /** Columns whose cells are not at the start. */
  align?: Readonly<Record<number, 'end'>>;
  /** Columns are compared with each other, or are those of a file: it scrolls. */
  isWide?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const t = useTexts();
  const place = useRef<HTMLDivElement>(null);
  useCards(place, head.length, className === styles.cards);
  return (
    <div ref={place} className={styles.scroll} tabIndex={0} role="group" aria-label={label}>
      <table className={`${styles.table} ${className}`} style={headsOf(head)}>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col" className={align[index] && styles.end}>
                {/* A column of buttons. */}
                {cell === '' ? <span className={styles.visuallyHidden}>{t.common.actions}</span> : cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** For the cards of `ui.module.css`, which show the head of a column before its values. */
function headsOf(head: readonly ReactNode[]): CSSProperties {
  const named = head.flatMap((cell, index) =>
    typeof cell === 'string' && cell !== '' ? [[`--head-${index + 1}`, JSON.stringify(cell)] as const] : [],
  );
  return Object.fromEntries(named);
}

export { styles };
