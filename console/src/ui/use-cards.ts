import { useEffect, useLayoutEffect, type RefObject } from 'react';

/** In em of the page. */
const NARROW = 44;
const OF_A_COLUMN = 8.5;

/**
 * Shows the rows of a table as cards where its columns have no room: nothing of it is then outside of its place. A
 * container query cannot know how many columns there are and what is in them.
 *
 * @param place the element that the table is in.
 */
export function useCards(place: RefObject<HTMLElement | null>, columns: number, isOn: boolean): void {
  // Before the browser paints, and after every change of the rows.
  useLayoutEffect(() => {
    if (isOn) layOut(place.current, columns);
  });
  useEffect(() => {
    if (!isOn || place.current === null) return;
    const observer = new ResizeObserver(() => layOut(place.current, columns));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place, columns, isOn]);
}

function layOut(place: HTMLElement | null, columns: number): void {
  if (place === null) return;
  const em = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  place.removeAttribute('data-cards');
  const isNarrow = place.clientWidth < Math.max(NARROW, columns * OF_A_COLUMN) * em;
  if (isNarrow || place.scrollWidth > place.clientWidth) place.setAttribute('data-cards', '');
}
