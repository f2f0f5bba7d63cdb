import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type RefObject,
} from 'react';
import { ApiError } from '../api/problem';
import { useTexts, type Texts } from '../texts/texts';
import styles from './ui.module.css';

type FieldError = NonNullable<ApiError['problem']['errors']>[number];

interface Errors {
  error: Error | null;
  /** The members of the request that have a field. */
  names: ReadonlySet<string>;
  /** @returns its opposite. */
  claim: (name: string) => () => void;
}

const FormErrors = createContext<Errors | null>(null);

/** The member of the body, or its path in the body, and of an entry of a list its number from 1. */
function placeOf({ pointer }: FieldError): [name: string, entry: number | null] {
  const [, name = '', index] = /^\/(.*?)(?:\/(\d+))?$/.exec(pointer) ?? [];
  return [name, index === undefined ? null : Number(index) + 1];
}

const errorsOf = (error: Error | null): readonly FieldError[] =>
  error instanceof ApiError ? (error.problem.errors ?? []) : [];

/**
 * A form whose request may be refused: errors of members stand at the fields that have their names, and the first of
 * these fields gets the focus. `ErrorNote` shows the others.
 */
export function Form({
  error,
  className,
  ref,
  ...rest
}: Omit<ComponentProps<'form'>, 'ref'> & { error: Error | null; ref?: RefObject<HTMLFormElement | null> }) {
  const own = useRef<HTMLFormElement>(null);
  const form = ref ?? own;
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  const errors = useMemo<Errors>(() => {
    const change = (of: (set: Set<string>) => unknown) =>
      setNames((before) => {
        const after = new Set(before);
        of(after);
        return after;
      });
    const claim = (name: string) => {
      change((set) => set.add(name));
      return () => change((set) => set.delete(name));
    };
    return { error, names, claim };
  }, [error, names]);
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  return (
    <FormErrors.Provider value={errors}>
      <form ref={form} className={className ?? styles.form} {...rest} />
    </FormErrors.Provider>
  );
}

/** The console's text for an error; null: it has none. */
function ownText({ fieldErrors }: Pick<Texts, 'fieldErrors'>, each: FieldError): string | null {
  const text = fieldErrors[`${placeOf(each)[0]}.${each.code}`] ?? fieldErrors[each.code];
  return text?.(each.limit?.toString() ?? '') ?? null;
}

/** Why a request was refused, as one sentence about its first wrong member. */
export function useReasonOf(): (error: unknown) => string {
  const t = useTexts();
  return (error) => {
    const [first] = errorsOf(error as Error);
    if (first !== undefined) return ownText(t, first) ?? first.message;
    const title = error instanceof ApiError ? t.problem[error.code] : undefined;
    return title ?? (error as Error).message;
  };
}

/** What is wrong with a field, in the language of the reader; it is forgotten when the field is edited. */
export function useFieldError(name: string | undefined) {
  const t = useTexts();
  const errors = useContext(FormErrors);
  const claim = errors?.claim;
  const [seen, setSeen] = useState<Error | null>(null);
  useLayoutEffect(() => (name === undefined ? undefined : claim?.(name)), [name]);
  const isShown = name !== undefined && errors !== null && errors.error !== seen;
  const found = isShown ? errorsOf(errors.error).filter((each) => placeOf(each)[0] === name) : [];
  const texts = found.map((each) => {
    const [, entry] = placeOf(each);
    const own = ownText(t, each);
    const text = own ?? each.message;
    return { text: entry === null ? text : t.forms.entry(entry, text), isEnglish: own === null };
  });
  return { texts, forget: () => errors !== null && setSeen(errors.error) };
}

/** The errors that no field of this form shows. */
export function useOtherErrors(error: Error | null): readonly FieldError[] {
  const names = useContext(FormErrors)?.names;
  return errorsOf(error).filter((each) => !names?.has(placeOf(each)[0]));
}
