// `npm run test:cluster -- --image NAME`: the chart on the cluster of KUBECONFIG, whose nodes must have the image and those of the
// trial's servers. Every file of values is accepted by the API server; a trial is installed where Pod Security "restricted" is
// enforced, passes `helm test`, loses no request and no stream while each service is restarted, and is upgraded and rolled back.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { check } from '../check.mjs'
import { createKubectl, idlePod, run, show } from './kubernetes.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const chart = join(root, 'deploy/helm/parlance')
const release = 'speech'
const { values: options } = parseArgs({
  options: {
    image: { type: 'string' },
    values: { type: 'string', multiple: true, default: [] },
    namespace: { type: 'string', default: 'parlance-test' },
    restarts: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
})
assert.ok(options.image, 'Give the image: npm run test:cluster -- --image parlance:0.1.0')
const [, repository, tag] = /^(.*):([^:/]+)$/.exec(options.image)
const kubectl = createKubectl(options.namespace)
const helm = (...args) => run('helm', ['--namespace', options.namespace, ...args])
const ofImage = ['--set', `image.repository=${repository},image.tag=${tag}`]
const ofTrial = [
  ...['--values', join(chart, 'values-trial.yaml')],
  ...options.values.flatMap((file) => ['--values', file]),
  ...ofImage,
  // Two of what is restarted under load; the others answer again within a client's patience, or have a replica that starts first.
  ...['--set', 'defaults.replicas=2'],
]

/** The groups of the API server: those of operators may be missing. */
const acceptValues = async () => {
  const versions = new Set((await kubectl(['api-versions'])).split('\n'))
  const files = [
    ...(await readdir(chart)).filter((file) => /^values-.*\.yaml$/.test(file)),
    ...(await readdir(join(chart, 'ci'))).map((file) => `ci/${file}`),
  ]
  let count = 0
  const left = new Set()
  for (const file of files) {
    const rendered = await helm('template', release, chart, '--values', join(chart, file))
    const objects = parseAllDocuments(rendered)
      .map((document) => document.toJS())
      .filter(Boolean)
    const known = objects.filter(({ apiVersion }) => versions.has(apiVersion))
    for (const { apiVersion, kind } of objects) if (!versions.has(apiVersion)) left.add(kind)
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: known })
    await kubectl(['apply', '--dry-run=server', '--validate=strict', '--filename', '-'], { input })
    count += known.length
  }
  const missing = left.size === 0 ? '' : `; not known there: ${[...left].join(', ')}`
  return `${count} objects of ${files.length} files${missing}`
}

/** Starts load in a pod; `stop` ends it and resolves to what it counted. */
const startLoad = async () => {
  const name = 'load'
  const environment = {
    PARLANCE_URL: `http://${release}-parlance-gateway`,
    NATS_URL: `nats://${release}-parlance-nats:4222`,
  }
  const pod = idlePod({ name, release, image: options.image, environment })
  await kubectl(['delete', 'pod', name, '--ignore-not-found', '--wait'])
  await kubectl(['apply', '--filename', '-'], { input: JSON.stringify(pod) })
  await kubectl(['wait', '--for=condition=Ready', `pod/${name}`, '--timeout=120s'])
  const inPod = ['--namespace', options.namespace, 'exec', '--stdin', name, '--']
  const child = spawn('kubectl', [...inPod, 'node', '--input-type=module', '-'], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(await readFile(new URL('load.mjs', import.meta.url)))
  const output = text(child.stdout)
  await new Promise((resolve, reject) => {
    let errors = ''
    child.stderr.on('data', (data) => {
      errors += data
      if (errors.includes('ready')) resolve()
    })
    child.on('close', () => reject(new Error(`the load has ended: ${errors}`)))
  })
  return async () => {
    await kubectl(['exec', name, '--', 'touch', '/tmp/stop'])
    const counts = JSON.parse(await output)
    await kubectl(['delete', 'pod', name, '--wait=false'])
    return counts
  }
}

const underLoad = async (work) => {
  const stop = await startLoad()
  await work()
  const { requests, streams, failures } = await stop()
  assert.deepEqual(failures, [])
  assert.ok(requests > 0 && streams > 0, 'there was load')
  return `${requests} requests, ${streams} streams, none failed`
}

const workloads = async () =>
  (await kubectl(['get', 'deployments', '--selector', `app.kubernetes.io/instance=${release}`, '--output', 'name']))
    .trim()
    .split('\n')

const restartEach = () =>
  underLoad(async () => {
    for (let round = 0; round < Number(options.restarts); round += 1) {
      for (const workload of await workloads()) {
        await kubectl(['rollout', 'restart', workload])
        await kubectl(['rollout', 'status', workload, '--timeout=300s'])
      }
    }
  })

const folder = await mkdtemp(join(tmpdir(), 'parlance-cluster-'))
const begunMs = performance.now()
try {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: options.namespace, labels } }
  await run('kubectl', ['apply', '--filename', '-'], { input: JSON.stringify(namespace) })
  await check('the API server accepts every object of every file of values', acceptValues)
  await check('a trial is installed where "restricted" is enforced', () =>
    helm('upgrade', '--install', release, chart, ...ofTrial, '--wait', '--timeout', '10m').then(() => undefined),
  )
  await check('helm test', () => show('helm', ['--namespace', options.namespace, 'test', release, '--logs']))
  await check(`no request and no stream fails while each service is restarted, ${options.restarts} times`, restartEach)
  const changed = join(folder, 'changed.yaml')
  await writeFile(changed, 'env: { LOG_LEVEL: warn }\n')
  await check('no request and no stream fails during an upgrade of all services', () =>
    underLoad(() => helm('upgrade', release, chart, ...ofTrial, '--values', changed, '--wait', '--timeout', '10m')),
  )
  await check('no request and no stream fails during the roll-back', () =>
    underLoad(() => helm('rollback', release, '--wait', '--timeout', '10m')),
  )
  console.log(`cluster tests: passed in ${((performance.now() - begunMs) / 1000).toFixed(0)} s`)
} finally {
  await rm(folder, { recursive: true, force: true })
  if (!options.keep)
    await run('kubectl', ['delete', 'namespace', options.namespace, '--ignore-not-found', '--wait=false'])
}
