import { randomUUID } from 'node:crypto'
import { exchange, startChildServer, type TestServer } from './child-server.js'
import { findBinary } from './installed-programs.js'

/** `args` are added to the command line, e.g. `['--auth', 'secret']`. */
export const startNatsServer = ({ args = [] }: { args?: readonly string[] } = {}): Promise<TestServer> => {
  // NATS does not send its pid, but its name: a unique name shows that it is our child.
  const name = randomUUID()
  return startChildServer({
    name: 'nats',
    url: (port) => `nats://127.0.0.1:${port}`,
    command: (port) => [
      findBinary('nats-server') ?? 'nats-server',
      '--addr',
      '127.0.0.1',
      '--port',
      String(port),
      '--name',
      name,
      ...args,
    ],
    isReady: async (port) => (await exchange(port, '', /^INFO .*\r\n/)).includes(name),
    stopSignal: 'SIGTERM',
  })
}
