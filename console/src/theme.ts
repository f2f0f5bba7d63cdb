import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark' | 'system';
const STORED = 'rcpt.theme';
const listeners = new Set<() => void>();

function stored(): Theme {
  const theme = localStorage.getItem(STORED);
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  apply();
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, stored);
}

/** Without the attribute the colours follow the system. */
function apply(): void {
  const theme = stored();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

apply();
