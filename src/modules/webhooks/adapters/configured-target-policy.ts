import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { AddressPolicy } from '../../../platform/net/address-policy.js';
import { addressesWithoutDns } from '../../../platform/net/host-addresses.js';
import { TargetPolicy } from '../domain/target.js';

@Injectable()
export class ConfiguredTargetPolicy extends TargetPolicy {
  readonly allowHttp: boolean;

  constructor(
    { webhooks }: Config,
    private readonly addresses: AddressPolicy,
  ) {
    super();
    this.allowHttp = webhooks.allowHttp;
  }

  allowsHost(host: string): boolean {
    const known = addressesWithoutDns(host);
    return known === null || known.some((ip) => this.addresses.allows(ip));
  }
}
