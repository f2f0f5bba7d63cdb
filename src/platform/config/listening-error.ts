import { ConfigError } from './config.js';

const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'];

export interface ListenAt {
  host: string;
  port: number;
  /** The variable that has the port. */
  setting: 'PORT' | 'METRICS_PORT';
}

/** Why a server cannot listen, with what to set. */
export function listeningError(error: NodeJS.ErrnoException, { host, port, setting }: ListenAt): Error {
  const { code = '' } = error;
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} on ${host} is already in use. Set ${setting} to a free port.`);
  if (code === 'EACCES')
    return new ConfigError(`This user may not listen on port ${port}. Set ${setting} to one above 1023.`);
  if (!NO_SUCH_ADDRESS.includes(code)) return error;
  return new ConfigError(
    `HOST is ${host}, which is no address of this machine. Set HOST to one, to 127.0.0.1 for this machine only, or to 0.0.0.0 for all.`,
  );
}
