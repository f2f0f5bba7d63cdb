import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { SystemClock } from '../../../platform/time/system-clock.js';
import { Examiner, type ExaminationOptions, type Finding } from '../domain/finding.js';
import { runChecks } from './examination.js';
import { checkAddresses } from './public-addresses.js';

/** Examines with the configuration of this process. */
@Injectable()
export class ProcessExaminer extends Examiner {
  constructor(private readonly config: Config) {
    super();
  }

  override async examine(options: ExaminationOptions): Promise<readonly Finding[]> {
    checkAddresses(options.egressIps, this.config.smtp.egresses);
    // The checks measure real time.
    return runChecks({ ...options, config: this.config, clock: new SystemClock() });
  }
}
