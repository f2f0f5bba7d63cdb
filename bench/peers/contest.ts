import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { PeerCase } from './peer-case.js';
import type { PeerAnswer } from './score.js';

/** A verifier that is ready to run: `{ id, email }` by line in, `{ id, status, said }` by line out, in any order. */
export interface Contestant {
  name: string;
  version: string;
  command: readonly string[];
}

/** What the part of the benchmark inside of the namespace has to do. */
export interface BenchmarkTask {
  contestants: readonly Contestant[];
  /** Only the cases of this kind; null: all. */
  kind: string | null;
  /** Whether each verdict that is not acceptable is printed. */
  showsMisses: boolean;
}

export interface ContestLimits {
  /** Cases at a time. */
  sideBySide: number;
  caseMs: number;
  /** When the contest ends, in milliseconds since the epoch. */
  endsAt: number;
}

/** Of programs of Node, in which look-ups of names that never end would hold up those of other cases. */
const THREADS = '64';

type Asked = PeerAnswer | 'crashed';

/** Asks for all cases. Those that were open when the program crashed are asked once more, each alone. */
export async function contest(
  contestant: Contestant,
  cases: readonly PeerCase[],
  limits: ContestLimits,
): Promise<PeerAnswer[]> {
  const answers: PeerAnswer[] = [];
  const again: PeerCase[] = [];
  await each(contestant, cases, limits, (one, answer) => {
    if (answer === 'crashed') again.push(one);
    else answers.push(answer);
  });
  await each(contestant, again, { ...limits, sideBySide: 1 }, ({ id }, answer) =>
    answers.push(answer === 'crashed' ? { id, status: null, said: 'crashed' } : answer),
  );
  return answers;
}

async function each(
  { command }: Contestant,
  cases: readonly PeerCase[],
  { sideBySide, caseMs, endsAt }: ContestLimits,
  onAnswer: (one: PeerCase, answer: Asked) => void,
): Promise<void> {
  if (cases.length === 0) return;
  const waiting = cases.values();
  let program = Program.start(command);
  const inTurn = async () => {
    for (const one of waiting) {
      if (!program.isRunning) program = Program.start(command);
      onAnswer(one, await program.ask(one, Math.min(caseMs, endsAt - Date.now())));
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, inTurn));
  await program.stop();
}

class Program {
  isRunning = true;
  private readonly open = new Map<string, (answer: Asked) => void>();

  private constructor(private readonly child: ChildProcess) {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const answer = JSON.parse(line) as PeerAnswer;
      this.open.get(answer.id)?.(answer);
    });
    // Its end is what matters, not that a line could not be written before.
    child.stdin!.on('error', () => undefined);
    child.once('close', () => {
      this.isRunning = false;
      for (const resolve of this.open.values()) resolve('crashed');
    });
  }

  static start([file = '', ...args]: readonly string[]): Program {
    const env = { ...process.env, UV_THREADPOOL_SIZE: THREADS };
    return new Program(spawn(file, args, { env, stdio: ['pipe', 'pipe', 'ignore'] }));
  }

  async ask({ id, address }: PeerCase, ms: number): Promise<Asked> {
    if (ms <= 0) return { id, status: null, said: 'not asked: the time of the run is over' };
    let timer: NodeJS.Timeout | undefined;
    const answer = await new Promise<Asked>((resolve) => {
      timer = setTimeout(resolve, ms, { id, status: null, said: 'timeout' });
      this.open.set(id, resolve);
      this.child.stdin!.write(`${JSON.stringify({ id, email: address })}\n`);
    });
    clearTimeout(timer);
    this.open.delete(id);
    return answer;
  }

  async stop(): Promise<void> {
    if (!this.isRunning) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'close');
  }
}
