import type { Page } from 'playwright-core';

/**
 * In the page: headings that are out of order, landmarks, controls that cannot be told from one another by
 * their name, and an order of reading that is not that of the window.
 */
const STRUCTURE = `(() => {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true });
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const short = (element) => element.outerHTML.slice(0, 120);
  const faults = [];
  const levels = all('h1, h2, h3, h4, h5, h6').map((heading) => Number(heading.tagName[1]));
  if (levels.filter((level) => level === 1).length !== 1 || levels[0] !== 1)
    faults.push('headings: ' + levels.join(' '));
  levels.forEach((level, index) => {
    if (index > 0 && level > levels[index - 1] + 1) faults.push('headings: ' + levels.join(' '));
  });
  for (const [selector, count] of [['main', 1], ['header', 1], ['[role=status]', 1]])
    if (document.querySelectorAll(selector).length < count) faults.push('without ' + selector);
  for (const element of all('*')) {
    const { order, flexDirection } = getComputedStyle(element);
    if (element.tabIndex > 0 || order !== '0' || flexDirection.endsWith('reverse'))
      faults.push('out of order: ' + short(element));
  }
  return [...new Set(faults)];
})()`;

/** In the page, at the width of a zoomed window: what is wider than it, and texts that are cut off. */
const ZOOMED = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  const faults = scrollWidth > clientWidth ? [scrollWidth - clientWidth + ' px wider than the window'] : [];
  for (const element of document.querySelectorAll('button, a, label, h1, h2, h3, p, dt, dd, legend, summary')) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('pre')) continue;
    const { overflowX, textOverflow, clipPath, position } = getComputedStyle(element);
    if (clipPath !== 'none' || position === 'absolute') continue;
    const isCut = overflowX !== 'visible' && textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1;
    if (isCut) faults.push('cut off: ' + element.outerHTML.slice(0, 120));
  }
  return faults;
})()`;

/** In the page, with forced colours: controls without an edge, and shapes that have the colour of the page. */
const FORCED = `(() => {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true });
  const short = (element) => element.outerHTML.slice(0, 120);
  const page = getComputedStyle(document.body).backgroundColor;
  const faults = [];
  for (const element of [...document.querySelectorAll('main :is(input, select, textarea, button)')].filter(shown)) {
    const { borderTopStyle, borderTopWidth, appearance, outlineStyle } = getComputedStyle(element);
    const hasText = element.textContent.trim() !== '' || element.querySelector('svg') !== null;
    const hasEdge = (borderTopStyle !== 'none' && borderTopWidth !== '0px') || outlineStyle !== 'none';
    if (!hasEdge && !hasText && appearance === 'none' && element.clientWidth > 1) faults.push('no edge: ' + short(element));
  }
  for (const shape of [...document.querySelectorAll('main :is(rect, circle, path, line)')].filter(shown)) {
    // On a surface of its own.
    if (shape.matches('rect + path')) continue;
    const { fill, stroke } = getComputedStyle(shape);
    if ([fill, stroke].every((color) => color === 'none' || color === page || color === 'rgba(0, 0, 0, 0)'))
      faults.push('not seen: ' + short(shape));
  }
  return [...new Set(faults)];
})()`;

/** In the page, for who wants no motion: what still moves. */
const MOVING = `(() => {
  const faults = document.getAnimations().map((animation) => 'moves: ' + animation.effect?.target?.outerHTML.slice(0, 120));
  for (const element of document.querySelectorAll('*')) {
    const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(element);
    if (animationName !== 'none' || /[1-9]/.test(transitionDuration) || scrollBehavior === 'smooth')
      faults.push('moves: ' + element.outerHTML.slice(0, 120));
  }
  return faults;
})()`;

/** A window of 1280 × 720 at 200 % and 400 %. */
const ZOOMS = [
  { width: 640, height: 360 },
  { width: 320, height: 180 },
];

/** Tries the document that is open with zoom, forced colours and without motion. @returns faults; empty: none. */
export async function surveyOf(page: Page): Promise<string[]> {
  const window = page.viewportSize()!;
  const faults = await page.evaluate<string[]>(STRUCTURE);
  faults.push(...(await page.evaluate<string[]>(MOVING)));
  await page.emulateMedia({ forcedColors: 'active' });
  faults.push(...(await page.evaluate<string[]>(FORCED)).map((fault) => `forced colours: ${fault}`));
  await page.emulateMedia({ forcedColors: 'none' });
  for (const size of ZOOMS) {
    await page.setViewportSize(size);
    const zoom = window.width / size.width;
    faults.push(...(await page.evaluate<string[]>(ZOOMED)).map((fault) => `${zoom * 100} %: ${fault}`));
  }
  await page.setViewportSize(window);
  return faults;
}
