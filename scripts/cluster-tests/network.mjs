import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { readConnections } from './network/connections.mjs'
import { allowedPairs } from './network/policies.mjs'

const component = 'app.kubernetes.io/component'
const reads = 5

const podsOf = async (kubectl, release) => {
  const { items } = await kubectl.get('pods', '--selector', `app.kubernetes.io/instance=${release}`)
  return items
    .filter(({ status }) => status.phase === 'Running')
    .map(({ metadata, spec, status }) => ({
      name: metadata.name,
      labels: metadata.labels,
      component: metadata.labels[component],
      address: status.podIP,
      ports: new Map(spec.containers.flatMap(({ ports = [] }) => ports.map((one) => [one.name, one.containerPort]))),
    }))
}

/** The component of each address: of a pod, or of the Service in front of it. */
const readAddresses = async (kubectl, release, pods) => {
  const { items } = await kubectl.get('services', '--selector', `app.kubernetes.io/instance=${release}`)
  const ofServices = items
    .filter(({ spec }) => spec.clusterIP !== 'None' && spec.selector?.[component] !== undefined)
    .map(({ spec }) => [spec.clusterIP, spec.selector[component]])
  return new Map([...ofServices, ...pods.map(({ address, component }) => [address, component])])
}

/** The connections that the pods have now between each other, as `client → server`. */
const connectedPairs = async (kubectl, release) => {
  const pods = await podsOf(kubectl, release)
  const components = await readAddresses(kubectl, release, pods)
  const tables = []
  // One pod after the other: as many processes of kubectl at once as there are pods would take the cores from the pods.
  for (const pod of pods) {
    const text = await kubectl(['exec', pod.name, '--', 'sh', '-c', 'cat /proc/net/tcp /proc/net/tcp6'])
    const { connections, ports: listening } = readConnections(text)
    tables.push({ ...pod, connections, listening })
  }
  const pairs = tables.flatMap(({ component: own, connections }) =>
    connections
      .filter(({ remote }) => components.has(remote.address))
      .map(({ isIncoming, remote }) => {
        const other = components.get(remote.address)
        return isIncoming ? `${other} → ${own}` : `${own} → ${other}`
      }),
  )
  return { pairs, tables }
}

const sorted = (pairs) => [...new Set(pairs)].sort()

/** Compares the NetworkPolicies of the namespace with the connections of the pods, which must be in use. */
export const checkNetwork = async (kubectl, { release }) => {
  const seen = []
  let allowed = []
  for (let read = 0; read < reads; read += 1) {
    await delay(2_000)
    const { pairs, tables } = await connectedPairs(kubectl, release)
    const { items: policies } = await kubectl.get('networkpolicies')
    seen.push(...pairs)
    allowed = sorted(allowedPairs(policies, tables))
  }
  const beyond = sorted(seen).filter((pair) => !allowed.includes(pair))
  assert.deepEqual(beyond, [], 'pairs that talk but may not')
  // The pod of the load no longer uses NATS when it begins, and the operator's pod is idle.
  const idle = ['speech-test → nats', 'operator → nats']
  const unused = allowed.filter((pair) => !seen.includes(pair) && !idle.includes(pair))
  assert.deepEqual(unused, [], 'pairs that may talk but do not')
  return `${allowed.length} pairs`
}
