import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Config, readConfig } from './config.js';
import { ProcessRoles } from './process-roles.js';

/** The environment, read once, and the roles of this process. */
@Global()
@Module({})
export class ConfigModule {
  static forRoles(roles: ProcessRoles): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: Config, useFactory: () => readConfig(undefined, roles) },
        { provide: ProcessRoles, useValue: roles },
      ],
      exports: [Config, ProcessRoles],
    };
  }
}
