import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

/** Sends requests one after the other on one keep-alive connection. */
export class KeepAliveClient {
  readonly statuses: number[] = [];
  /** How it ended: `Connection: close`, or an error code. */
  readonly end: Promise<string>;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private warm: () => void = () => undefined;
  /** Resolves after three responses. */
  readonly isWarm = new Promise<void>((resolve) => (this.warm = resolve));

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {
    this.end = this.ask().catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
  }

  private async ask(): Promise<string> {
    try {
      for (;;) {
        const headers = { authorization: `Bearer ${this.key}` };
        const [answer] = (await once(get(this.url, { agent: this.agent, headers }), 'response')) as [
          IncomingMessage,
        ];
        const text = (await answer.toArray()).join('');
        if (!answer.complete || !text.endsWith('}')) return 'half an answer';
        this.statuses.push(answer.statusCode ?? 0);
        if (this.statuses.length === 3) this.warm();
        if (answer.headers.connection === 'close') return 'told to ask elsewhere';
      }
    } finally {
      this.warm();
      this.agent.destroy();
    }
  }
}
