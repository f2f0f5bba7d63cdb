import { Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Config } from '../../platform/config/config.js';
import { SharedLimitsModule } from '../verification/shared-limits.module.js';
import { examine } from './checks/examination.js';
import { DoctorService } from './doctor.service.js';

/** It needs no database, so that the command line can examine an installation that has none. */
@Module({
  providers: [
    {
      provide: DoctorService,
      // The service is given a function, which a class binding cannot do.
      useFactory: (config: Config, clock: Clock) =>
        new DoctorService((options) =>
          examine(config, clock, (database) => SharedLimitsModule.permitsIn(database).listUsage(), options),
        ),
      inject: [Config, Clock],
    },
  ],
  exports: [DoctorService],
})
export class DoctorModule {}
