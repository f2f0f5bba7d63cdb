import { Injectable } from '@nestjs/common';
import { TargetPolicy } from '../../kernel/target.js';
import { Config } from '../config/config.js';
import { AddressPolicy } from '../net/address-policy.js';
import { addressesWithoutDns } from '../net/host-addresses.js';

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
