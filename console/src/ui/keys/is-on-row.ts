import type { MouseEvent } from 'react';

/** A click anywhere in a row, unless it is on something else that can be clicked, or has selected a text. */
export function isOnRow({ target }: MouseEvent): boolean {
  const isFree =
    target instanceof Element && target.closest('a, button, input, label, [popover], dialog') === null;
  return isFree && getSelection()?.isCollapsed !== false;
}
