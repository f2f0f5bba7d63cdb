import type { Page } from 'playwright-core';
import { previewOn, workOn } from '../app/bulk.js';
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

/**
 * Uploads the list whose file was chosen, and verifies it. It is started by the API: its page then shows the end of the
 * list at once, and waits neither for its preview nor for its start. @returns its id; its page is shown.
 */
export async function verifyList(app: TestApp, page: Page): Promise<string> {
  const id = await uploadList(page);
  const key = await page.evaluate<string>("sessionStorage.getItem('rcpt.key')");
  await app.post(`/v1/bulk-jobs/${id}/start`, key).expect(200);
  await workOn(app);
  return id;
}
