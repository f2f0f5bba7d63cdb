import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Service } from './service.js';

/** Requests of one team whose responses or bodies are large, each with a new process: what they cost the others. */
const ATTACKS: Readonly<Record<string, (service: Service, client: Client) => Promise<string>>> = {
  'all columns 1,300 times, 3 rows': async (service, client) => {
    const id = await client.submit(wideList(3));
    return `status ${await client.read(`/v1/bulk-jobs/${id}/results?columns=${'input,'.repeat(1_299)}input`, 'text/csv')}`;
  },
  'four workbooks of 1,000 rows with 990 columns': async (service, client) => {
    const id = await client.submit(wideList(1_000));
    const path = `/v1/bulk-jobs/${id}/results`;
    const statuses = await Promise.all(Array.from({ length: 4 }, () => client.read(path, XLSX)));
    return `statuses ${statuses.join(', ')}`;
  },
  '50 clients that do not read their page of 1,000 rows with 990 columns': async (service, client) => {
    const id = await client.submit(wideList(1_000));
    const request = `GET /v1/bulk-jobs/${id}/results?limit=1000 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\n\r\n`;
    return held(await silent(service, 50, request), 20_000);
  },
  '100 messages of 5 MB to /v1/outcomes without an end': async (service) => {
    const head = `POST /v1/outcomes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: message/rfc822\r\nContent-Length: 5000000\r\n\r\n`;
    return held(await silent(service, 100, head, Buffer.alloc(4_999_999, 'a')), 10_000);
  },
  'a CSV of 20 MB of commas': async (service, client) =>
    `status ${await client.post('text/csv', `email\n${`a@example.com${','.repeat(998)}x\n`.repeat(20_000)}`)}`,
};
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** With 989 columns beside the address, whose names have 31 characters. */
function wideList(rows: number): string {
  const names = Array.from({ length: 989 }, (_, n) => `c${n}`.padEnd(31, 'x'));
  const lines = Array.from({ length: rows }, (_, n) => `person${n}@example.com`);
  return [['email', ...names].join(), ...lines, ''].join('\n');
}

class Client {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async submit(list: string): Promise<string> {
    const answer = await this.send(list, 'text/csv');
    return ((await answer.json()) as { id: string }).id;
  }

  async post(type: string, list: string): Promise<number> {
    return (await this.send(list, type)).status;
  }

  /** Reads to the end. @returns the status; 0: the connection was closed. */
  async read(path: string, accept: string): Promise<number> {
    const headers = { Authorization: `Bearer ${this.key}`, Accept: accept };
    try {
      const answer = await fetch(this.url + path, { headers });
      for await (const part of answer.body ?? []) void part;
      return answer.status;
    } catch {
      return 0;
    }
  }

  private send(list: string, type: string): Promise<Response> {
    const headers = { Authorization: `Bearer ${this.key}`, 'Content-Type': type };
    return fetch(`${this.url}/v1/verify/bulk`, { method: 'POST', headers, body: list });
  }
}

/** Connections that send these parts and read nothing. */
async function silent(service: Service, count: number, ...parts: (string | Buffer)[]): Promise<Socket[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => service.connect()));
  for (const socket of sockets) {
    socket.pause();
    for (const part of parts) socket.write(part);
  }
  return sockets;
}

async function held(sockets: readonly Socket[], ms: number): Promise<string> {
  await pause(ms);
  for (const socket of sockets) socket.destroy();
  return `${sockets.length} connections`;
}

export async function attacks(main: string) {
  const rows: Record<string, object> = {};
  for (const [name, attack] of Object.entries(ATTACKS)) {
    const service = await Service.start(main);
    try {
      const client = new Client(`http://127.0.0.1:${service.port}`, service.key);
      const before = await service.megabytes();
      const most = { ms: 0, megabytes: before };
      let isDone = false;
      const watching = (async () => {
        for (; !isDone; await pause(100)) {
          const { ms } = await service.time('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
          most.ms = Math.max(most.ms, ms);
          most.megabytes = Math.max(most.megabytes, await service.megabytes().catch(() => 0));
        }
      })();
      const begun = performance.now();
      const result = await attack(service, client).catch((error: unknown) => String(error));
      const seconds = (performance.now() - begun) / 1_000;
      await pause(500);
      isDone = true;
      await watching.catch(() => undefined);
      rows[name] = {
        result,
        seconds: Number(seconds.toFixed(1)),
        'livez ms': Math.round(most.ms),
        'MB before': before,
        'MB at most': most.megabytes,
      };
    } finally {
      await service.end();
    }
  }
  return rows;
}
