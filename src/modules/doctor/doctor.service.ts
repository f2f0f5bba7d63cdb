import type { ExaminationOptions, Finding } from './domain/finding.js';

export { FINDING_LEVELS, type Finding, type FindingLevel } from './domain/finding.js';

/** Tells whether verification can work from here: the checks of `rcpt doctor`. */
export class DoctorService {
  /** @param examine runs all checks; takes at most about 12 s. It rejects with InvalidEgressAddress. */
  constructor(readonly examine: (options?: ExaminationOptions) => Promise<readonly Finding[]>) {}
}
