import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startProcess } from './child-process.mjs'
import { giveUp, root } from './installed.mjs'
import { say } from './report.mjs'

const folder = join(root, 'bench/peers')

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

const versionOf = (name) => readJson(join(folder, 'node_modules', name, 'package.json')).version

/** Installs `bench/peers/node_modules` according to its lock file. npm shows its progress. */
const installPeers = async () => {
  const installed = join(folder, 'node_modules/.package-lock.json')
  if (existsSync(installed)) {
    const { packages: wanted } = readJson(join(folder, 'package-lock.json'))
    const { packages: present } = readJson(installed)
    const isThere = ([path, { version, optional }]) => path === '' || optional || present[path]?.version === version
    if (Object.entries(wanted).every(isThere)) return
  }
  say('Installing the peers (NestJS, Moleculer) into bench/peers ...')
  const npm = spawn('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'], {
    stdio: ['ignore', 2, 2],
  })
  const [code] = await once(npm, 'exit')
  if (code !== 0) giveUp('The peers could not be installed; the output of npm is above.')
}

/**
 * NestJS and Moleculer, each a gateway and a service process over the same NATS, answering the JSON in `bodyFile` bare:
 * no key check, no log, no metrics. Resolves to `[{ name, url, gateway, service }]`.
 */
export const startPeers = async ({ natsUrl, bodyFile, folder: logs }) => {
  await installPeers()
  const { freePort } = await import('@parlance/testing')
  const start = async (peer, name) => {
    const port = await freePort()
    const [service, gateway] = ['service', 'gateway'].map((role) =>
      startProcess({
        name: `${name} ${role}`,
        command: [process.execPath, join(folder, `${peer}-${role}.mjs`)],
        env: { NODE_ENV: 'production', NATS_URL: natsUrl, PORT: String(port), BODY_FILE: bodyFile },
        log: join(logs, `${peer}-${role}.log`),
      }),
    )
    return { name, url: `http://127.0.0.1:${port}`, gateway, service }
  }
  return Promise.all([
    start('nest', `NestJS ${versionOf('@nestjs/core')}`),
    start('moleculer', `Moleculer ${versionOf('moleculer')}`),
  ])
}
