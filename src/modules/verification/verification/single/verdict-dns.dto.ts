import { Flag, ListOf, Schema, Text, WholeNumber } from '../../../../platform/http/validation/fields.js';

export const Known = (what: string, example?: boolean) =>
  Flag({ nullable: true, description: `${what} null: not tested, or not known.`, example });

@Schema('MailExchanger')
class MailExchanger {
  @Text({ example: 'mx.example.com' })
  host: string;

  @WholeNumber({ example: 10 })
  preference: number;
}

@Schema('VerdictDns')
export class VerdictDns {
  @Known('The domain has an MX record.', true)
  mx_found: boolean | null;

  @Known('The domain has no MX record, but an address record (RFC 5321 §5.1).', false)
  implicit_mx: boolean | null;

  @Known('The domain declares that it accepts no mail (RFC 7505).', false)
  null_mx: boolean | null;

  @ListOf(() => MailExchanger, { description: 'At most 20, the preferred first.' })
  mx: readonly MailExchanger[];

  @Text({ nullable: true, description: 'The mail provider to which the servers belong.', example: 'google' })
  provider: string | null;

  @Text({
    nullable: true,
    description:
      'Of `dns_error`: the name servers that were queried, each with its last response, such as `REFUSED` or `no response`. null: the DNS did not fail, or the call ended before.',
    example: null,
  })
  error: string | null;
}
