import type { Schemas } from '../../api/client';

type Sentences<Code extends string> = Readonly<Partial<Record<Code, string>>>;

/** What checks find and what to do, by code, with the members of `params` in braces. The service writes them in English. */
export const checkSentencesEn = {
  checkFound: {} as Sentences<Schemas['SystemCheckFinding']['code']>,
  checkRemedies: {} as Sentences<Schemas['SystemCheckRemedy']['code']>,
};
