const isMac = /Mac|iP/.test(navigator.platform);

/** The keys of the command menu, as the keyboard shows them. */
export const COMMAND_KEYS = isMac ? '⌘ K' : 'Ctrl K';

export function isCommandKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (isMac ? metaKey : ctrlKey) && !altKey && !shiftKey;
}
