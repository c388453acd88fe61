import { realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startChildServer, type TestServer } from './child-server.js'
import { findBinary } from './installed-programs.js'

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
