import { Injectable } from '@nestjs/common';
import { InvalidEgressAddress } from './doctor.errors.js';
import { Examiner, type ExaminationOptions, type Finding } from './domain/finding.js';

export { FINDING_LEVELS, type Finding, type FindingLevel } from './domain/finding.js';

/** Tells whether verification can work from here: the checks of `rcpt doctor`. */
@Injectable()
export class DoctorService {
  constructor(private readonly examiner: Examiner) {}

  /** @throws InvalidEgressAddress */
  async examine(
    options: ExaminationOptions = { offline: false, egressIps: [] },
  ): Promise<readonly Finding[]> {
    const problem = this.examiner.problemOfAddresses(options.egressIps);
    if (problem !== null) throw new InvalidEgressAddress(problem);
    return this.examiner.examine(options);
  }
}
