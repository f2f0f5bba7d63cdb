import { Module } from '@nestjs/common';
import { BulkModule } from '../bulk/bulk.module.js';
import { OutcomesModule } from '../outcomes/outcomes.module.js';
import { BufferedOutcomeReader } from './adapters/buffered-outcome-reader.js';
import { MimeMessageParser } from './adapters/mime-message-parser.js';
import { OutcomeReader } from './domain/outcome-reader.js';
import { MessageParser } from './domain/reports/mail-message.js';
import { OutcomeIntakeController } from './outcome-intake.controller.js';
import { OutcomeIntakeService } from './outcome-intake.service.js';

@Module({
  imports: [BulkModule, OutcomesModule],
  controllers: [OutcomeIntakeController],
  providers: [
    OutcomeIntakeService,
    { provide: OutcomeReader, useClass: BufferedOutcomeReader },
    { provide: MessageParser, useClass: MimeMessageParser },
  ],
})
export class OutcomeIntakeModule {}
