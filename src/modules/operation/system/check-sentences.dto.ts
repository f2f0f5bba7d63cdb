import { AnyObject, OneOf, Schema } from '../../../platform/http/validation/fields.js';
import { FOUND_CODES, REMEDY_CODES, type FoundCode, type RemedyCode } from '../doctor/doctor.service.js';

const PARAMS = {
  description: 'The values that its sentence names.',
  example: { name: 'verify.example.org' },
};

@Schema('SystemCheckFinding')
export class CheckFindingResponse {
  @OneOf(FOUND_CODES, {
    description: '`other`: `params.text` says it in English.',
    example: 'name_without_address',
  })
  code: FoundCode;

  @AnyObject(PARAMS)
  params: Record<string, string>;
}

@Schema('SystemCheckRemedy')
export class CheckRemedyResponse {
  @OneOf(REMEDY_CODES, {
    description: '`other`: `params.text` says it in English.',
    example: 'give_name_address',
  })
  code: RemedyCode;

  @AnyObject(PARAMS)
  params: Record<string, string>;
}
