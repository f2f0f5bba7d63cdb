export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** The text format of Prometheus. */
export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined || line.startsWith('#')) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text] as const);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

export const sumOf = (samples: readonly Sample[], name: string) =>
  samples.filter((each) => each.name === name).reduce((sum, { value }) => sum + value, 0);

/** The values of a metric by one of its labels. */
export function byLabel(samples: readonly Sample[], name: string, label: string): [string, number][] {
  const sums = new Map<string, number>();
  for (const { labels, value, name: own } of samples)
    if (own === name) sums.set(labels[label] ?? '', (sums.get(labels[label] ?? '') ?? 0) + value);
  return [...sums];
}
