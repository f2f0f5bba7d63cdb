import { useFormats, useLanguage } from '../texts/texts';

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A time of the past as people say it, with the exact one in its title. */
export function Ago({ at }: { at: string }) {
  const { time } = useFormats();
  const language = useLanguage();
  const seconds = (Date.parse(at) - Date.now()) / 1_000;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? (['second', 1] as const);
  const text = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(
    // Of less than a minute: now. The clocks of the service and the browser differ.
    unit === 'second' ? 0 : Math.trunc(seconds / length),
    unit,
  );
  return (
    <time dateTime={at} title={time(at)}>
      {text}
    </time>
  );
}
