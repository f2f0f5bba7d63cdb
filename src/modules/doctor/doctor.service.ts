import { Injectable } from '@nestjs/common';
import { Examiner, type ExaminationOptions, type Finding } from './domain/finding.js';

export { FINDING_LEVELS, type Finding, type FindingLevel } from './domain/finding.js';

/** Tells whether verification can work from here: the checks of `rcpt doctor`. */
@Injectable()
export class DoctorService {
  constructor(private readonly examiner: Examiner) {}

  /** @throws InvalidEgressAddress */
  examine(options: ExaminationOptions = { offline: false, egressIps: [] }): Promise<readonly Finding[]> {
    return this.examiner.examine(options);
  }
}
