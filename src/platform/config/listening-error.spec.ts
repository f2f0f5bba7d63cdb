import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config.js';
import { listeningError } from './listening-error.js';

const errorOf = (code: string, setting: 'PORT' | 'METRICS_PORT' = 'PORT') =>
  listeningError(Object.assign(new Error(code), { code }), { host: '0.0.0.0', port: 80, setting });

describe('why a server cannot listen', () => {
  // Root may listen on every port, so that the error is not real here.
  it('on a port for which this user has no permission is a wrong setting, by its name', () => {
    for (const setting of ['PORT', 'METRICS_PORT'] as const) {
      const error = errorOf('EACCES', setting);
      expect(error).toBeInstanceOf(ConfigError);
      expect(error.message).toBe(`This user may not listen on port 80. Set ${setting} to one above 1023.`);
    }
  });

  it('on a port in use may pass, and is no wrong setting', () => {
    const error = errorOf('EADDRINUSE', 'METRICS_PORT');
    expect(error).not.toBeInstanceOf(ConfigError);
    expect(error.message).toBe('Port 80 on 0.0.0.0 is already in use. Set METRICS_PORT to a free port.');
  });

  it('on an address of another machine is a wrong HOST', () => {
    expect(errorOf('EADDRNOTAVAIL')).toBeInstanceOf(ConfigError);
  });

  it('is unchanged for another reason', () => {
    expect(errorOf('EMFILE').message).toBe('EMFILE');
  });
});
