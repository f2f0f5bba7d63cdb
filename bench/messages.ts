import type { ChildProcess } from 'node:child_process';

/** The next message of a process. @throws when it ends before. */
export function messageFrom<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`${child.spawnfile} ended with ${code}`));
    child.once('exit', onExit).once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as Message);
    });
  });
}
