import { Module } from '@nestjs/common';
import { ProcessExaminer } from './adapters/process-examiner.js';
import { DoctorService } from './doctor.service.js';
import { Examiner } from './domain/finding.js';

/** It needs no database, so that the command line can examine an installation that has none. */
@Module({
  providers: [DoctorService, { provide: Examiner, useClass: ProcessExaminer }],
  exports: [DoctorService],
})
export class DoctorModule {}
