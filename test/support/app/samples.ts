import type { TestApp } from './app.js';

/** The metrics of the service now. The text is cached for a second. */
export async function scrape(app: Pick<TestApp, 'clock' | 'get'>): Promise<Map<string, number>> {
  app.clock.advance(1_000);
  return samplesOf((await app.get('/metrics')).text);
}

/** The samples of `/metrics`: values by series, as in `name{label="value"}`. */
export function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

/** Names and values of all labels. */
export function labelsOf(text: string): { name: string; value: string }[] {
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  return lines.flatMap((line) =>
    [...line.matchAll(/([a-z_]+)="([^"]*)"/gi)].map(([, name = '', value = '']) => ({ name, value })),
  );
}
