import { jest } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Pause } from '../../../src/kernel/service-state/pause.js';
import { ClientDocuments } from '../../../src/modules/identity/oauth/adapters/client-documents.js';
import { AddressPolicy } from '../../../src/platform/net/address-policy.js';
import { DirectDialler } from '../../../src/platform/net/dialler.js';
import { HostAddresses } from '../../../src/platform/net/host-addresses.js';
import { SafeFetch } from '../../../src/platform/net/safe-fetch.js';
import type { TestApp } from '../app/app.js';
import { selfSigned } from '../tls/self-signed.js';
import { REDIRECT } from './assistant.js';

/** A host of metadata documents, on a loopback address and with a certificate of its own. */
export class DocumentHost {
  /** The paths that were asked for, since `reset`. */
  paths: string[] = [];
  connections = 0;
  respond: (response: ServerResponse, request: IncomingMessage) => void = () => undefined;

  private constructor(
    private readonly server: Server,
    private readonly documents: ClientDocuments,
  ) {}

  static async start(): Promise<DocumentHost> {
    const { key, cert } = await selfSigned('localhost');
    const server = createServer({ key, cert });
    // As the service has it, with the certificate, and loopback addresses allowed.
    const documents = new ClientDocuments(
      new SafeFetch({
        policy: new AddressPolicy(['127.0.0.0/8']),
        hosts: new HostAddresses(['127.0.0.1:9'], 100),
        dialler: new DirectDialler(),
        pause: new Pause(),
        ca: cert,
      }),
    );
    const host = new DocumentHost(server, documents);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      host.paths.push(request.url ?? '');
      host.respond(response, request);
    });
    server.on('connection', () => host.connections++).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return host;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  urlOf(name: string): string {
    return `https://localhost:${this.port}/${name}.json`;
  }

  /** The service fetches documents of this host too. */
  reachableFrom(app: TestApp) {
    const documents = app.service.app.get(ClientDocuments, { strict: false });
    return jest.spyOn(documents, 'fetch').mockImplementation((url) => this.documents.fetch(url, 300));
  }

  reset(): void {
    jest.restoreAllMocks();
    this.paths = [];
    this.connections = 0;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

export const documentOf = (id: string, more: object = {}) => ({
  client_id: id,
  client_name: 'Documented assistant',
  redirect_uris: [REDIRECT],
  token_endpoint_auth_method: 'none',
  ...more,
});

export const sending = (body: object) => (response: ServerResponse) =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
