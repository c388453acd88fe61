import { exchange, startChildServer, type TestServer } from './child-server.js'
import { findBinary } from './installed-programs.js'

/** Stores nothing on disk, so it is empty after a restart. `args` are added to the command line. */
export const startRedisServer = ({ args = [] }: { args?: readonly string[] } = {}): Promise<TestServer> =>
  startChildServer({
    name: 'redis',
    url: (port) => `redis://127.0.0.1:${port}`,
    command: (port, folder) => [
      findBinary('redis-server') ?? 'redis-server',
      ...['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '', '--appendonly', 'no'],
      ...args,
    ],
    isReady: async (port, pid) =>
      (await exchange(port, 'INFO server\r\n', /process_id:\d+\r/)).includes(`process_id:${pid}\r`),
    stopSignal: 'SIGTERM',
  })
