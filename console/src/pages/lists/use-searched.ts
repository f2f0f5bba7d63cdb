import { useEffect, useState } from 'react';

const TYPING_MS = 250;
/** The service searches for no more characters. */
export const MAX_SEARCH = 254;

/** The text to search for, once typing pauses; an empty field shows everything at once. */
export function useSearched(typed: string): string | undefined {
  const text = typed.replace(/\p{Cc}/gu, ' ').trim();
  const [searched, setSearched] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text), text === '' ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return searched || undefined;
}
