import { Injectable } from '@nestjs/common';
import { Doctor, type Finding } from '../system/domain/doctor.js';
import { Config } from '../../platform/config/config.js';
import { SystemClock } from '../../platform/time/system-clock.js';
import { runChecks } from './adapters/examination.js';
import { TIME_SERVER } from './adapters/time.js';

/** `rcpt doctor` in a process of the service, with its configuration. */
@Injectable()
export class ServiceDoctor extends Doctor {
  constructor(private readonly config: Config) {
    super();
  }

  override examine(): Promise<readonly Finding[]> {
    const { config } = this;
    // The checks measure real time.
    const clock = new SystemClock();
    return runChecks({ config, clock, offline: false, egressIps: [], timeServer: TIME_SERVER });
  }
}
