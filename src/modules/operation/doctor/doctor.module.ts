import { Module } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import { Config } from '../../../platform/config/config.js';
import { SharedLimitsModule } from '../../verification/mail-servers/shared-limits.module.js';
import { examine, examineEgresses } from './checks/examination.js';
import { DoctorService } from './doctor.service.js';

/** It needs no database, so that the command line can examine an installation that has none. */
@Module({
  providers: [
    {
      provide: DoctorService,
      // The service is given functions, which a class binding cannot do.
      useFactory: (config: Config, clock: Clock) => {
        const sessionsIn = (database: DataSource) =>
          SharedLimitsModule.sessionsIn(database, config.smtp.egresses);
        return new DoctorService(
          (options) => examine(config, clock, sessionsIn, options),
          () => examineEgresses(config, clock, sessionsIn),
        );
      },
      inject: [Config, Clock],
    },
  ],
  exports: [DoctorService],
})
export class DoctorModule {}
