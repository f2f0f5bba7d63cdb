import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket, type RawData } from 'ws';
import { isOnMachine } from '../jest/machine.js';

const FIREFOX = process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr';

/** Tests that need Firefox are skipped without it (Debian: `firefox-esr`, or `FIREFOX_PATH`). */
export const hasFirefox = isOnMachine('Firefox', existsSync(FIREFOX));

/** For slow machines; every wait ends when its condition is true. */
const WAIT_MS = 12_000;
const DOWNLOAD_END = 'browsingContext.downloadEnd';

interface Reply {
  id?: number;
  method?: string;
  params?: object;
  result?: Record<string, never>;
  error?: string;
  message?: string;
}

/**
 * One page of the stock Firefox, by WebDriver BiDi (https://w3c.github.io/webdriver-bidi). Playwright drives only
 * a Firefox of its own: the stock one lacks a command that it sends.
 */
export class Firefox {
  private lastId = 0;
  private readonly pending = new Map<number, (reply: Reply) => void>();
  private readonly downloads = new EventEmitter();
  private context = '';

  private constructor(
    private readonly process: ChildProcess,
    private readonly socket: WebSocket,
    private readonly folder: string,
  ) {
    socket.on('message', (data: RawData) => {
      const reply = JSON.parse((data as Buffer).toString('utf8')) as Reply;
      if (reply.id !== undefined) this.pending.get(reply.id)?.(reply);
      else if (reply.method === DOWNLOAD_END) this.downloads.emit('end', reply.params);
    });
  }

  static async start(): Promise<Firefox> {
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-firefox-'));
    const preferences = {
      'browser.download.dir': folder,
      'browser.download.folderList': 2,
      'intl.accept_languages': 'en-GB',
      // No request to anywhere else.
      'network.proxy.type': 0,
      'browser.safebrowsing.downloads.enabled': false,
    };
    const lines = Object.entries(preferences).map(
      ([name, value]) => `user_pref('${name}', ${JSON.stringify(value)});`,
    );
    await writeFile(join(folder, 'user.js'), lines.join('\n'));
    const args = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', folder];
    const child = spawn(FIREFOX, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: folder },
    });
    for await (const line of createInterface(child.stderr)) {
      const url = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
      if (url === undefined) continue;
      child.stderr.resume();
      const socket = new WebSocket(`${url}/session`);
      await once(socket, 'open');
      const firefox = new Firefox(child, socket, folder);
      await firefox.send('session.new', { capabilities: {} });
      await firefox.send('session.subscribe', { events: [DOWNLOAD_END] });
      const { contexts } = (await firefox.send('browsingContext.getTree', {})) as unknown as {
        contexts: { context: string }[];
      };
      firefox.context = contexts[0]!.context;
      return firefox;
    }
    throw new Error('Firefox ended');
  }

  async open(url: string): Promise<void> {
    await this.send('browsingContext.navigate', { context: this.context, url, wait: 'interactive' });
  }

  /** Waits until the expression has a value that is not falsy. @returns it, a text or a number. */
  async until<T = true>(expression: string): Promise<T> {
    const wait = `(async () => {
      for (const end = Date.now() + ${WAIT_MS}; Date.now() < end; await new Promise(requestAnimationFrame)) {
        const value = ${expression};
        if (value) return value;
      }
      throw new Error(${JSON.stringify(expression)} + ' in ' + document.body.innerText);
    })()`;
    const { result, exceptionDetails } = (await this.send('script.evaluate', {
      expression: wait,
      target: { context: this.context },
      awaitPromise: true,
    })) as unknown as { result?: { value: T }; exceptionDetails?: { text: string } };
    if (result === undefined) throw new Error(exceptionDetails?.text);
    return result.value;
  }

  /** @param element an expression; waits until it is an element. */
  async click(element: string): Promise<void> {
    await this.until(`((button) => button && (button.click(), true))(${element})`);
  }

  /** Sends the keys to the element that has the focus. Enter is `\uE007`. */
  async type(text: string): Promise<void> {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.send('input.performActions', {
      context: this.context,
      actions: [{ type: 'key', id: 'keyboard', actions }],
    });
  }

  async choose(selector: string, path: string): Promise<void> {
    await this.until(`document.querySelector(${JSON.stringify(selector)})`);
    const { nodes } = (await this.send('browsingContext.locateNodes', {
      context: this.context,
      locator: { type: 'css', value: selector },
    })) as unknown as { nodes: { sharedId: string }[] };
    await this.send('input.setFiles', {
      context: this.context,
      element: { sharedId: nodes[0]!.sharedId },
      files: [path],
    });
  }

  /** The text of the file that an action downloads. */
  async downloadOf(act: () => Promise<unknown>): Promise<string> {
    const ended = once(this.downloads, 'end');
    await act();
    const [{ status, filepath }] = (await ended) as [{ status: string; filepath: string }];
    if (status !== 'complete') throw new Error(`The download is ${status}`);
    return readFile(filepath, 'utf8');
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.socket.close();
    this.process.kill('SIGKILL');
    await ended;
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private async send(method: string, params: object): Promise<Record<string, never>> {
    const id = ++this.lastId;
    const replied = new Promise<Reply>((resolve) => this.pending.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params }));
    const { result, error, message } = await replied;
    this.pending.delete(id);
    if (result === undefined) throw new Error(`${method}: ${error} ${message}`);
    return result;
  }
}
