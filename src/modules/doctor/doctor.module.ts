import { Global, Module } from '@nestjs/common';
import { Doctor } from '../system/domain/doctor.js';
import { ServiceDoctor } from './service-doctor.js';

/** Global, because the checks are above the modules that use them. */
@Global()
@Module({ providers: [{ provide: Doctor, useClass: ServiceDoctor }], exports: [Doctor] })
export class DoctorModule {}
