/** NATS, Redis and Prometheus as child servers. Postgres, which needs more preparation, is in `postgres-server.ts`. */
import { randomUUID } from 'node:crypto'
import { realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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

const configurationIn = (folder: string) => join(folder, 'prometheus.yaml')

/** `configuration` is the text of its configuration file; paths in it are absolute. */
export const startPrometheusServer = (configuration: string): Promise<TestServer> =>
  startChildServer({
    name: 'prometheus',
    url: (port) => `http://127.0.0.1:${port}`,
    prepare: (folder) => writeFile(configurationIn(folder), configuration),
    command: (port, folder) => [
      findBinary('prometheus') ?? 'prometheus',
      `--config.file=${configurationIn(folder)}`,
      `--storage.tsdb.path=${join(folder, 'series')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    async isReady(port, _, folder) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/status/runtimeinfo`)
      const { data } = (await response.json()) as { data: { CWD: string } }
      return data.CWD === (await realpath(folder)) && (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok
    },
    stopSignal: 'SIGTERM',
  })
