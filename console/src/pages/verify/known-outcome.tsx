import type { Verdict } from '../../api/client';
import { outcomesEn } from '../../texts/outcomes.en';
import { useFormats, useTexts } from '../../texts/texts';
import css from './verify.module.css';

/** What became of the team's latest mail to the address, with the reply of a bounce. */
export function KnownOutcome({ outcome }: { outcome: NonNullable<Verdict['outcome']> }) {
  const t = useTexts(outcomesEn);
  const { date } = useFormats();
  const { kind, at, code, enhanced_code: enhanced, text } = outcome;
  const reply = [code, enhanced, text].filter((part) => part !== null).join(' ');
  return (
    <>
      <p>{t.outcomes.known[kind](date(at))}</p>
      {reply !== '' && (
        <blockquote className={css.reply} aria-label={t.verify.serverSaid}>
          <code>{reply}</code>
        </blockquote>
      )}
    </>
  );
}
