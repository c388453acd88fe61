import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './kubernetes.mjs'

const servers = 'servers'

/** The servers of a trial without services: another release uses them, as production uses servers of its own. */
export const serverValues = {
  defaults: { replicas: 0 },
  operator: { replicas: 0 },
  tests: { enabled: false },
  // Its policies would let in no pods of another release.
  networkPolicy: { enabled: false },
}

/** Addresses of load balancers, for a cluster without them. Nothing is sent to them. */
const addresses = ['192.0.2.1', '192.0.2.2']

/** The differences from a trial: migrations by a Job, a load balancer for each sessions pod, and existing Secrets. */
export const productionValues = {
  secrets: { existingSecret: `${servers}-parlance-secrets` },
  nats: {
    url: `nats://${servers}-parlance-nats:4222`,
    authentication: 'user',
    existingSecret: `${servers}-parlance-secrets`,
    privateInboxes: true,
  },
  migrations: { enabled: true },
  media: { mode: 'loadBalancer', loadBalancer: { addresses } },
  defaults: {
    replicas: 1,
    preStopSeconds: 1,
    resources: { requests: { cpu: '20m', memory: '128Mi' } },
  },
  services: {
    gateway: { drainSeconds: 15, resources: { requests: { cpu: '50m', memory: '128Mi' } } },
    sessions: { replicas: 2, drainSeconds: 15, resources: { requests: { cpu: '50m', memory: '256Mi' } } },
    tts: { env: { TTS_ENGINE_PROCESSES: 2 }, resources: { requests: { cpu: '100m', memory: '256Mi' } } },
  },
  jobs: { podLabels: { 'parlance/test': 'job' }, extraVolumes: [{ name: 'more', emptyDir: {} }] },
}

/** Helm 4 if it is in PATH as `helm4`, else the Helm of the other tests. */
const findHelm = () =>
  run('helm4', ['version', '--short']).then(
    (version) => ({ program: 'helm4', version: version.trim() }),
    async () => ({ program: 'helm', version: (await run('helm', ['version', '--short'])).trim() }),
  )

/** The Job is removed once it has succeeded; its events stay. */
const checkMigration = async (kubectl, release) => {
  const { items } = await kubectl.get('events', '--field-selector', `involvedObject.name=${release}-parlance-migrate`)
  const reasons = items.map(({ reason }) => reason)
  assert.ok(reasons.includes('Completed'), `the Job of the migration: ${reasons.join(', ')}`)
}

const addressIn = async (kubectl, pod) => {
  const environment = await kubectl(['exec', pod, '--', 'cat', '/proc/1/environ'])
  return environment.split('\0').find((variable) => variable.startsWith('SESSION_ANNOUNCED_ADDRESS='))
}

/** Each pod announces its address of the list, and its load balancer sends to this pod alone. */
const checkMedia = async (kubectl, release) => {
  for (const [index, address] of addresses.entries()) {
    const pod = `${release}-parlance-sessions-${index}`
    assert.equal(await addressIn(kubectl, pod), `SESSION_ANNOUNCED_ADDRESS=${address}`)
    const balancer = `${release}-parlance-sessions-media-${index}`
    const { items } = await kubectl.get('endpointslices', '--selector', `kubernetes.io/service-name=${balancer}`)
    const targets = items.flatMap(({ endpoints }) => (endpoints ?? []).map(({ targetRef }) => targetRef.name))
    assert.deepEqual(targets, [pod])
  }
}

/** Helm 3 waits for addresses of load balancers, which a cluster may have no controller to give; this does not. */
const untilReady = async (kubectl, release) => {
  const selector = `app.kubernetes.io/instance=${release}`
  const { items } = await kubectl.get('deployments,statefulsets', '--selector', selector)
  assert.ok(items.length >= 9, `${release} has ${items.length} workloads`)
  for (const { kind, metadata } of items) {
    await kubectl(['rollout', 'status', `${kind.toLowerCase()}/${metadata.name}`, '--timeout=300s'])
  }
}

/**
 * Installs the chart in the shape of production beside the servers of a trial: the Job of the migration runs before,
 * sessions is a StatefulSet, and speaks before and after it is restarted. `values` are options of Helm that hold for both
 * releases.
 */
export const checkProduction = async (kubectl, { chart, release, values }) => {
  const { program, version } = await findHelm()
  const helm = (...args) => run(program, ['--namespace', kubectl.namespace, ...args])
  const file = join(tmpdir(), `parlance-production-${process.pid}.json`)
  const install = async (name, ofRelease, ...args) => {
    await writeFile(file, JSON.stringify(ofRelease))
    await helm('install', name, chart, ...args, ...values, '--values', file, '--timeout', '5m')
  }
  /** Prints what the pods of a hook have logged when Helm fails. */
  const withLogs = async (hook, work) => {
    try {
      await work()
    } catch (error) {
      console.log(await kubectl(['logs', hook]).catch(({ message }) => message))
      throw error
    }
  }
  const test = () => withLogs(`pod/${release}-parlance-speech-test`, () => helm('test', release))
  try {
    await install(servers, serverValues, '--values', join(chart, 'values-trial.yaml'))
    await untilReady(kubectl, servers)
    await withLogs(`job/${release}-parlance-migrate`, () => install(release, productionValues))
    await checkMigration(kubectl, release)
    await untilReady(kubectl, release)
    await checkMedia(kubectl, release)
    await test()
    const sessions = `statefulset/${release}-parlance-sessions`
    await kubectl(['rollout', 'restart', sessions])
    await kubectl(['rollout', 'status', sessions, '--timeout=300s'])
    await checkMedia(kubectl, release)
    await test()
  } finally {
    await rm(file, { force: true })
  }
  return `by ${program} ${version}`
}
