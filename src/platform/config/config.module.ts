import { Global, Module, type DynamicModule } from '@nestjs/common';
import { PublicUrl } from '../../kernel/public-url.js';
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
        { provide: PublicUrl, useExisting: Config },
        { provide: ProcessRoles, useValue: roles },
      ],
      exports: [Config, PublicUrl, ProcessRoles],
    };
  }
}
