import { NO_WARMUP, type WarmupPlan } from '../../kernel/warmup-plan.js';
import { itemsOf } from './environment-values.js';

/** Providers with many mailboxes that limit clients by the reputation of their address. */
const DEFAULT = 'google:200,microsoft:200,yahoo:100,apple:100';
const MAX_PROVIDERS = 32;
const MAX_PROBES = 10_000_000;

const OPTIONS = {
  growth: { value: 1.5, least: 1, most: 4 },
  refusals: { value: 2, least: 0, most: 50 },
  until: { value: 100_000, least: 1, most: MAX_PROBES },
};

/** @throws RangeError that says what to write. */
export function parseWarmup(text: string): WarmupPlan {
  if (/^off$/i.test(text.trim())) return NO_WARMUP;
  const [table = '', ...parts] = text.split(';').map((part) => part.trim());
  const options = numbersOf(parts);
  return {
    starts: startsOf(table === '' ? DEFAULT : table),
    growth: options.growth,
    maxRejections: options.refusals / 100,
    until: options.until,
  };
}

function startsOf(table: string): Map<string, number> {
  const items = itemsOf(table).map((item) => /^([a-z][a-z0-9_-]{0,39}):(\d{1,8})$/.exec(item));
  const starts = new Map(items.map((item) => [item?.[1] ?? '', Number(item?.[2])]));
  const isValid = items.every(
    (item) => item !== null && Number(item[2]) >= 1 && Number(item[2]) <= MAX_PROBES,
  );
  if (isValid && starts.size === items.length && items.length >= 1 && items.length <= MAX_PROVIDERS)
    return starts;
  throw new RangeError(
    `must be off, or 1 to ${MAX_PROVIDERS} providers with their probes on the first day, each once, such as ${DEFAULT}`,
  );
}

function numbersOf(parts: readonly string[]): Record<keyof typeof OPTIONS, number> {
  const numbers = Object.fromEntries(Object.entries(OPTIONS).map(([name, { value }]) => [name, value]));
  for (const part of parts.filter((text) => text !== '')) {
    const [, name = '', value = ''] = /^([a-z]+)=(\d{1,8}(?:\.\d{1,3})?)%?$/.exec(part) ?? [];
    const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name as keyof typeof OPTIONS] : undefined;
    if (option === undefined || Number(value) < option.least || Number(value) > option.most)
      throw new RangeError(
        'must have after a semicolon only growth= (1 to 4), refusals= (0 to 50 percent) and until= (1 to 10000000), such as ;growth=1.5;refusals=2;until=100000',
      );
    numbers[name] = Number(value);
  }
  return numbers as Record<keyof typeof OPTIONS, number>;
}
