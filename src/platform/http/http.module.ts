import { Global, Module } from '@nestjs/common';
import { Cursors } from './cursor.js';

/** What controllers of all modules share. `configure-app.ts` configures the server itself. */
@Global()
@Module({ providers: [Cursors], exports: [Cursors] })
export class HttpModule {}
