// `npm run test:cluster -- --image NAME`: the chart on the cluster of KUBECONFIG, whose nodes must have the image and those of the
// trial's servers. Every file of values is accepted by the API server; the shape of production is installed beside the servers of
// a trial; a trial is installed where Pod Security "restricted" is enforced, passes `helm test`, and loses no request, no stream
// and no conversation while services are restarted, a node is drained, each service gets a second replica, and the release is
// upgraded and rolled back. `--help` names the options.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { check } from '../check.mjs'
import { acceptValues } from './accept-values.mjs'
import { scale } from './autoscaling.mjs'
import { followDocumentation } from './documented.mjs'
import { drainNode } from './evictions.mjs'
import { createKubectl, run } from './kubernetes.mjs'
import { underLoad } from './load-pod.mjs'
import { followLogs } from './logs.mjs'
import { checkDenied, createNkeys } from './nats-users.mjs'
import { checkNetwork } from './network.mjs'
import { options } from './options.mjs'
import { checkProduction } from './production.mjs'

const chart = fileURLToPath(new URL('../../deploy/helm/parlance', import.meta.url))
const release = 'speech'
const services = Object.keys(parse(await readFile(join(chart, 'files/services.yaml'), 'utf8')))

const inNamespace = (namespace) => ({
  kubectl: createKubectl(namespace),
  helm: (...args) => run('helm', ['--namespace', namespace, ...args]),
})
const { kubectl, helm } = inNamespace(options.namespace)

const ofImage = (image) => {
  const [, repository, tag] = /^(.*):([^:/]+)$/.exec(image)
  return ['--set', `image.repository=${repository},image.tag=${tag}`]
}
const ofEach = (image) => [...options.values.flatMap((file) => ['--values', file]), ...ofImage(image)]
const ofTrial = (image) => ['--values', join(chart, 'values-trial.yaml'), ...ofEach(image)]
const { drainSeconds } = options
// Two of each service, which may not both be missing. Conversations of the load are shorter than the time to drain, and begin with
// an error where there is no recognizer.
const underPressure = {
  defaults: { replicas: 2, disruptionBudget: { enabled: true } },
  services: { gateway: { drainSeconds }, sessions: { drainSeconds, env: { STT_PROVIDER: 'pocketsphinx' } } },
  doctor: { enabled: true },
}

const createNamespace = async (name) => {
  const phase = await run('kubectl', [
    'get',
    'namespace',
    name,
    '--ignore-not-found',
    '--output=jsonpath={.status.phase}',
  ])
  // Restarts by tests that ended a moment ago.
  if (phase === 'Terminating') await run('kubectl', ['wait', '--for=delete', `namespace/${name}`, '--timeout=300s'])
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  return kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })
}

/** Does `work` in a separate namespace, with `kubectl` and `helm` for it. */
const inOwnNamespace = async (suffix, work) => {
  const namespace = `${options.namespace}-${suffix}`
  const own = inNamespace(namespace)
  await createNamespace(namespace)
  try {
    return await work(own)
  } finally {
    if (!options.keep) await own.kubectl(['delete', 'namespace', namespace, '--wait=false'])
  }
}

/** A trial whose services are the users of NATS that `parlance nats-accounts --nkeys` creates. */
const installWithNkeys = () =>
  inOwnNamespace('nkeys', async ({ kubectl, helm }) => {
    const secret = await createNkeys(kubectl, { release, image: options.image })
    const nkeys = ['--set', `nats.authentication=nkey,nats.existingSecret=${secret}`]
    await helm('install', release, chart, ...ofTrial(options.image), ...nkeys, '--wait', '--timeout', '10m')
    await helm('test', release)
    return checkDenied(kubectl, { release, image: options.image, secret })
  })

const installAsProduction = () =>
  inOwnNamespace('production', ({ kubectl }) =>
    checkProduction(kubectl, { chart, release, values: ofEach(options.image) }),
  )

const followDocuments = () =>
  inOwnNamespace('documented', ({ kubectl }) => followDocumentation(kubectl, ofEach(options.image)))

const restart = async (names) => {
  const workloads = names.map((name) => `deployment/${release}-parlance-${name}`)
  await kubectl(['rollout', 'restart', ...workloads])
  for (const workload of workloads) await kubectl(['rollout', 'status', workload, '--timeout=600s'])
}

const restartEach = async () => {
  const { restarts, together } = options
  for (let round = 0; round < restarts; round += 1) {
    for (let first = 0; first < services.length; first += together) {
      await restart(services.slice(first, first + together))
    }
  }
}

const countWorkspaces = async () => {
  const operator = ['exec', `deployment/${release}-parlance-operator`, '--']
  const listed = await kubectl([...operator, 'node', 'cli/bin/parlance.mjs', 'workspace', 'list', '--json'])
  return JSON.parse(listed).workspaces.length
}

/**
 * Prints what the hooks of `helm test` have logged: its own `--logs` finds no pod of a Job. The first that fails is the
 * last.
 */
const testInstallation = async () => {
  const before = await countWorkspaces()
  try {
    await helm('test', release)
  } finally {
    for (const hook of [`job/${release}-parlance-doctor`, `pod/${release}-parlance-speech-test`]) {
      console.log(await kubectl(['logs', hook]).catch(({ message }) => message))
    }
  }
  assert.equal(await countWorkspaces(), before, 'helm test left a workspace')
}

/** A container is restarted when its process ends, as it would when it does not wait for a server. */
const checkRestarts = async () => {
  const { items } = await kubectl.get('pods', '--selector', `app.kubernetes.io/instance=${release}`)
  const restarted = items.flatMap(({ metadata, status }) =>
    (status.containerStatuses ?? [])
      .filter(({ restartCount }) => restartCount > 0)
      .map(({ restartCount }) => `${metadata.name}: ${restartCount}`),
  )
  assert.deepEqual(restarted, [])
  return `${items.length} pods`
}

const folder = await mkdtemp(join(tmpdir(), 'parlance-cluster-'))
const file = join(folder, 'values.json')
const install = (image) =>
  helm('upgrade', '--install', release, chart, ...ofTrial(image), '--values', file, '--wait', '--timeout', '10m')
const upgrade = async (values) => {
  await writeFile(file, JSON.stringify(values))
  await install(options.image)
}

/** Does `work` under load, in which no container may end by itself. */
const load = async (work) => {
  const note = await underLoad(kubectl, { release, image: options.image }, work)
  await checkRestarts()
  return note
}

/** The tests of a part, each a guarantee and the work that checks it. */
const tests = {
  values: [
    [
      'the API server accepts every object of every file of values',
      () => acceptValues(kubectl, helm, { chart, release }),
    ],
  ],
  nkeys: [
    [
      'a trial with an nkey for each service speaks, and NATS denies each service what it does not need',
      installWithNkeys,
    ],
  ],
  production: [
    [
      'the shape of production, migrated by a Job, speaks before and after a restart of the StatefulSet of sessions',
      installAsProduction,
    ],
  ],
  documented: [
    ['a trial is installed, operated, upgraded, rolled back and stopped as the documentation says', followDocuments],
  ],
  'helm-test': [
    ['helm test speaks and leaves no workspace, and the check of the installation finds no error', testInstallation],
  ],
  restarts: [
    [
      `nothing fails and nothing is cut while each service is restarted, ${options.restarts} times`,
      () => load(restartEach),
    ],
  ],
  network: [['pods talk exactly as the NetworkPolicies allow', () => load(() => checkNetwork(kubectl, { release }))]],
  evictions: [
    [
      'nothing fails and nothing is cut while a node is drained',
      () => load(() => drainNode(kubectl, { release, services })),
    ],
  ],
  upgrade: [
    [
      'nothing fails and nothing is cut while each service gets a second replica',
      async () => {
        await upgrade({ ...underPressure, defaults: { replicas: 1 } })
        return load(() => upgrade(underPressure))
      },
    ],
    [
      'nothing fails and nothing is cut during an upgrade of all services',
      async () => {
        if (options.from !== options.image) await install(options.from)
        return load(async () => {
          await upgrade({ ...underPressure, env: { LOG_LEVEL: 'warn' } })
          return `${options.from} to ${options.image}`
        })
      },
    ],
    [
      'nothing fails and nothing is cut during the roll-back',
      () => load(() => helm('rollback', release, '--wait', '--timeout', '10m').then(() => undefined)),
    ],
  ],
  scaling: [
    [
      'tts keeps its replicas when autoscaling is enabled, scales from one to three under load, and back',
      () => {
        const { image, prometheus, adapter } = options
        return scale(kubectl, helm, { chart, release, upgrade, image, prometheus, adapter, values: ofTrial(image) })
      },
    ],
  ],
}

const runPart = async (part) => {
  if (options.only.has(part)) for (const [guarantee, work] of tests[part]) await check(guarantee, work)
}

const begunMs = performance.now()
let stopLogs = () => {}
try {
  await createNamespace(options.namespace)
  if (options.logs !== undefined) stopLogs = await followLogs(kubectl, release, options.logs)
  for (const part of ['values', 'nkeys', 'production', 'documented']) await runPart(part)
  const needInstalled = ['helm-test', 'network', 'restarts', 'evictions', 'upgrade', 'scaling']
  if (needInstalled.some((part) => options.only.has(part))) {
    await writeFile(file, JSON.stringify(underPressure))
    await check('a trial is installed where "restricted" is enforced', () =>
      install(options.image).then(() => undefined),
    )
    await check('no container ended and was started again while the servers started', checkRestarts)
    for (const part of needInstalled) await runPart(part)
  }
  console.log(`cluster tests: passed in ${((performance.now() - begunMs) / 1000).toFixed(0)} s`)
} finally {
  stopLogs()
  await rm(folder, { recursive: true, force: true })
  if (!options.keep)
    await run('kubectl', ['delete', 'namespace', options.namespace, '--ignore-not-found', '--wait=false'])
}
