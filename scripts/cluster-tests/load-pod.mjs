import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { startIdlePod } from './kubernetes.mjs'

const folder = fileURLToPath(new URL('load', import.meta.url))

/** Resolves when the process has written `ready`. Rejects when it ends before. */
const untilReady = (child) =>
  new Promise((resolve, reject) => {
    let errors = ''
    child.stderr.on('data', (data) => {
      errors += data
      if (errors.includes('ready')) resolve()
    })
    child.on('close', () => reject(new Error(`the load has ended: ${errors}`)))
  })

/** Starts a program of `load/` in a pod. Resolves to a function that ends it and resolves to what it counted. */
export const startLoad = async (kubectl, { release, image, program = 'main.mjs' }) => {
  const name = 'load'
  const secret = { name: `${release}-parlance-secrets`, key: 'cli.password' }
  const env = [
    { name: 'PARLANCE_URL', value: `http://${release}-parlance-gateway` },
    { name: 'NATS_URL', value: `nats://${release}-parlance-nats:4222` },
    { name: 'NATS_USER', value: 'cli' },
    { name: 'NATS_PASSWORD', valueFrom: { secretKeyRef: secret } },
    { name: 'NATS_INBOX_PREFIX', value: '_INBOX_cli' },
  ]
  await startIdlePod(kubectl, folder, { name, release, image, env })
  const inPod = ['--namespace', kubectl.namespace, 'exec', name, '--']
  const child = spawn('kubectl', [...inPod, 'node', `/files/${program}`], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = text(child.stdout)
  await untilReady(child)
  child.stderr.pipe(process.stderr)
  return async () => {
    await kubectl(['exec', name, '--', 'touch', '/tmp/stop'])
    const counts = JSON.parse(await output)
    await kubectl(['delete', 'pod', name, '--wait=false'])
    return counts
  }
}

/** Does `work` under load. Rejects when a request, a stream or a conversation has failed. */
export const underLoad = async (kubectl, options, work) => {
  const stop = await startLoad(kubectl, options)
  const note = await work()
  const { failures, ...counts } = await stop()
  assert.deepEqual(failures, [], `${failures.length} failed of ${JSON.stringify(counts)}`)
  for (const [kind, count] of Object.entries(counts)) assert.ok(count > 0, `there were ${kind}`)
  const { requests, streams, conversations } = counts
  const load = `${requests} requests, ${streams} streams and ${conversations} conversations, none failed`
  return note === undefined ? load : `${note}; ${load}`
}
