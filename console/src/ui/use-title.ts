import { useEffect } from 'react';

/** The title of the tab, which screen readers read first. */
export function useTitle(text: string): void {
  useEffect(() => {
    document.title = `${text} · Rcpt`;
    return () => void (document.title = 'Rcpt');
  }, [text]);
}
