import type { EgressFinding, ExaminationOptions, Finding } from './domain/finding.js';

export {
  FOUND_CODES,
  REMEDY_CODES,
  type FoundCode,
  type RemedyCode,
  type Sentence,
} from './domain/sentences.js';
export { FINDING_LEVELS, type EgressFinding, type Finding, type FindingLevel } from './domain/finding.js';

/** Tells whether verification can work from here: the checks of `rcpt doctor`. */
export class DoctorService {
  /** @param examine runs all checks; takes at most about 12 s. It rejects with InvalidEgressAddress. */
  constructor(
    readonly examine: (options?: ExaminationOptions) => Promise<readonly Finding[]>,
    /** Runs only the checks of every egress, and opens no database. */
    readonly examineEgresses: () => Promise<readonly EgressFinding[]>,
  ) {}
}
