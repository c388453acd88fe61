import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

const instance = 'app.kubernetes.io/instance'
const component = 'app.kubernetes.io/component'

const isReady = ({ status }) => status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')

/** The names of the ready pods of a service, without terminating ones. */
const podsOf = async (kubectl, release, service) => {
  const { items } = await kubectl.get('pods', '--selector', `${instance}=${release},${component}=${service}`)
  const staying = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  return staying.filter(isReady).map(({ metadata }) => metadata.name)
}

/** Resolves once `isSo` resolves to true. Rejects after five minutes. */
const until = async (isSo, what) => {
  const giveUpAtMs = performance.now() + 300_000
  while (!(await isSo())) {
    assert.ok(performance.now() < giveUpAtMs, `five minutes without this: ${what}`)
    await delay(500)
  }
}

/** Asks for the eviction of a pod, as `kubectl drain` does. Resolves to whether the API server has allowed it. */
const evict = async (kubectl, name) => {
  const { namespace } = kubectl
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`
  try {
    await kubectl(['create', '--raw', path, '--filename', '-'], { input: JSON.stringify(eviction) })
    return true
  } catch (error) {
    assert.match(error.message, /disruption budget/)
    return false
  }
}

/**
 * Empties a node whose pods cannot be scheduled elsewhere at first: of each service one of two pods is evicted and the other is
 * kept, until there is a new one. Then the other is evicted.
 */
export const drainNode = async (kubectl, { release, services }) => {
  const [{ metadata: node }] = (await kubectl.get('nodes')).items
  const pods = new Map()
  for (const service of services) pods.set(service, await podsOf(kubectl, release, service))
  await kubectl(['cordon', node.name])
  try {
    for (const [service, [first, second]] of pods) {
      assert.ok(await evict(kubectl, first), `${service}: the first pod may go`)
      assert.equal(await evict(kubectl, second), false, `${service}: the second pod may not go beside the first`)
    }
  } finally {
    await kubectl(['uncordon', node.name])
  }
  for (const [service, [, second]] of pods) {
    const isWhole = async () => (await podsOf(kubectl, release, service)).length === 2
    await until(isWhole, `${service} has two pods again`)
    await until(() => evict(kubectl, second), `${service}: the second pod may go`)
    await until(isWhole, `${service} has two pods again`)
  }
  return `${2 * pods.size} pods evicted, ${pods.size} evictions refused before`
}
