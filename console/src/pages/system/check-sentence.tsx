import type { Schemas } from '../../api/client';
import { checkSentencesEn } from '../../texts/system/check-sentences.en';
import { useTexts } from '../../texts/texts';
import { Untrusted } from '../../ui/untrusted';

export type Finding = Schemas['SystemCheckFinding'];
export type Remedy = Schemas['SystemCheckRemedy'];

/**
 * What a check has found, and what to do, in the language of the reader.
 *
 * @param english the same as the service writes it, which stands where a sentence has no translation.
 */
export function CheckSentence({
  findings,
  remedy,
  english,
}: {
  findings: readonly Finding[];
  remedy: Remedy | null;
  english: string;
}) {
  const { checkFound, checkRemedies } = useTexts(checkSentencesEn);
  const sentences = [
    ...findings.map(({ code, params }) => filled(checkFound[code], params)),
    ...(remedy === null ? [] : [filled(checkRemedies[remedy.code], remedy.params)]),
  ];
  const isTranslated = sentences.length > 0 && sentences.every((sentence) => sentence !== null);
  return (
    <span lang={isTranslated ? undefined : 'en'}>
      <Untrusted text={isTranslated ? sentences.join(' ') : english} />
    </span>
  );
}

/** Values are put in once: one that has braces stays as it is. */
function filled(text: string | undefined, params: Readonly<Record<string, unknown>>): string | null {
  if (text === undefined) return null;
  const sentence = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    return typeof value === 'string' ? value : '';
  });
  return /[.)?!]$/.test(sentence) ? sentence : `${sentence}.`;
}
