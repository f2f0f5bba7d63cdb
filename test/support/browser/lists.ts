import type { Page } from 'playwright-core';
import { previewOn } from '../app/bulk.js';
import type { TestApp } from '../app/app.js';

const WORDS = {
  en: { next: 'Continue', start: /^Start: / },
  de: { next: 'Weiter', start: /^Starten: / },
};

/** Uploads the list whose file was chosen. @returns its id; its page is shown. */
export async function uploadList(page: Page, language: keyof typeof WORDS = 'en'): Promise<string> {
  await page.getByRole('button', { name: WORDS[language].next, exact: true }).click();
  await page.waitForURL(/\/lists\/job_/);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** Uploads the list whose file was chosen, and starts it once its preview is shown. @returns its id. */
export async function startList(
  app: TestApp,
  page: Page,
  language: keyof typeof WORDS = 'en',
): Promise<string> {
  const id = await uploadList(page, language);
  await previewOn(app);
  const start = page.getByRole('button', { name: WORDS[language].start });
  await start.click();
  await start.waitFor({ state: 'detached' });
  return id;
}
