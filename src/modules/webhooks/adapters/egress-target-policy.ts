import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { AddressPolicy } from '../../../platform/net/address-policy.js';
import { addressesWithoutDns } from '../../../platform/net/host-addresses.js';
import { TargetPolicy } from '../domain/target.js';

@Injectable()
export class EgressTargetPolicy extends TargetPolicy {
  readonly allowHttp: boolean;

  constructor(
    { webhooks }: Config,
    private readonly egress: AddressPolicy,
  ) {
    super();
    this.allowHttp = webhooks.allowHttp;
  }

  allowsHost(host: string): boolean {
    const known = addressesWithoutDns(host);
    return known === null || known.some((ip) => this.egress.allows(ip));
  }
}
