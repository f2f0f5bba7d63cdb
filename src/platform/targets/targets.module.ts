import { Module } from '@nestjs/common';
import { Pause } from '../../kernel/service-state/pause.js';
import { TargetPolicy } from '../../kernel/target.js';
import { Config } from '../config/config.js';
import { AddressPolicy } from '../net/address-policy.js';
import { ConfiguredTargetPolicy } from './configured-target-policy.js';
import { DirectDialler } from '../net/dialler.js';
import { HostAddresses } from '../net/host-addresses.js';
import { SafeFetch } from '../net/safe-fetch.js';

/** Requests to URLs that others name: receivers of webhooks, sources of schedules, and metadata of OAuth clients. */
@Module({
  providers: [
    { provide: TargetPolicy, useClass: ConfiguredTargetPolicy },
    {
      provide: AddressPolicy,
      // Mail servers have their own allowed ranges.
      useFactory: ({ webhooks }: Config) => new AddressPolicy(webhooks.allowCidrs),
      inject: [Config],
    },
    {
      provide: SafeFetch,
      // It takes plain values, and tests a certificate authority of their own.
      useFactory: ({ dns }: Config, policy: AddressPolicy, pause: Pause) => {
        const hosts = new HostAddresses(dns.servers, dns.timeoutMs);
        return new SafeFetch({ policy, hosts, dialler: new DirectDialler(), pause });
      },
      inject: [Config, AddressPolicy, Pause],
    },
  ],
  exports: [TargetPolicy, SafeFetch],
})
export class TargetsModule {}
