import { Injectable } from '@nestjs/common';
import { Pause } from '../../../../kernel/service-state/pause.js';
import { Config } from '../../../../platform/config/config.js';
import { AddressPolicy } from '../../../../platform/net/address-policy.js';
import { DirectDialler } from '../../../../platform/net/dialler.js';
import { HostAddresses } from '../../../../platform/net/host-addresses.js';
import { SafeFetch } from '../../../../platform/net/safe-fetch.js';
import { SnsEndpoint } from '../domain/sns-endpoint.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 20_000;

/** Dials public addresses only, whatever the name of the host resolves to. */
@Injectable()
export class FetchSnsEndpoint extends SnsEndpoint {
  private readonly net: SafeFetch;

  constructor({ dns }: Config, pause: Pause) {
    super();
    const hosts = new HostAddresses(dns.servers, dns.timeoutMs);
    this.net = new SafeFetch({ policy: new AddressPolicy([]), hosts, dialler: new DirectDialler(), pause });
  }

  async get(url: string): Promise<string | null> {
    const { statusCode, body } = await this.net.get(new URL(url), MAX_BYTES + 1, TIMEOUT_MS);
    if (statusCode >= 400 && statusCode < 500 && statusCode !== 429) return null;
    if (statusCode !== 200) throw new Error(`The response has the status ${statusCode}`);
    if (body.length > MAX_BYTES) throw new Error('The response is too long');
    return body.toString('utf8');
  }
}
