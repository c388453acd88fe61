import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { parseAllDocuments } from 'yaml'
import { startLoad } from './load-pod.mjs'
import { withMonitoring } from './monitoring.mjs'

const most = 3

/** The values with which tts scales from one to three replicas. */
export const autoscalingValues = (metric, settings = { scaleDownDelaySeconds: 15 }) => ({
  // Prometheus gets the rules of the chart from the tests, as no operator reads them.
  metrics: { rules: { recordedElsewhere: true } },
  services: {
    tts: {
      env: { TTS_ENGINE_PROCESSES: 2, TTS_CACHE_MEGABYTES: 0 },
      // The requested CPU is small, so that a small load is a large share of it.
      resources: { requests: { cpu: '100m', memory: '128Mi' } },
      autoscaling: {
        enabled: true,
        minReplicas: 1,
        maxReplicas: most,
        metric,
        targetPercent: metric === 'cpu' ? 100 : 40,
        ...settings,
      },
    },
  },
})

/** Waits until the autoscaler has created this many replicas and they are ready. Resolves with the time that took, in s. */
const untilReplicas = async (kubectl, target, count) => {
  const begunMs = performance.now()
  for (;;) {
    const { status } = await kubectl.get('deployment', target)
    if (status.replicas === count && status.readyReplicas === count)
      return Math.round((performance.now() - begunMs) / 1000)
    const autoscaler = performance.now() - begunMs > 300_000 && (await kubectl(['describe', 'hpa', target]))
    assert.ok(!autoscaler, `five minutes without ${count} replicas: ${autoscaler}`)
    await delay(1000)
  }
}

/** The groups of the PrometheusRule that the chart makes. */
const rulesOf = async (helm, { chart, release, values }) => {
  const rendered = await helm('template', release, chart, ...values, '--set', 'metrics.rules.enabled=true')
  const objects = parseAllDocuments(rendered).map((document) => document.toJS())
  return objects.find((object) => object?.kind === 'PrometheusRule').spec.groups
}

/** Does `work`, and resolves to every count of replicas that the workload was given meanwhile. */
const watchReplicas = async (kubectl, target, work) => {
  const watch = ['get', 'deployment', target, '--watch', '--output=jsonpath={.spec.replicas}{"\\n"}']
  const child = spawn('kubectl', ['--namespace', kubectl.namespace, ...watch], { stdio: ['ignore', 'pipe', 'inherit'] })
  const output = text(child.stdout)
  await work()
  child.kill()
  return [...new Set((await output).trim().split('\n').map(Number))]
}

/** Scales tts by a metric. Resolves to a line about how long that took. */
const scaleBy = async (metric, kubectl, { release, image, upgrade }) => {
  const target = `${release}-parlance-tts`
  // An autoscaler that does not act finds the two replicas that run: enabling it has not set another count.
  const idle = { scaleDownDelaySeconds: 600, behavior: { scaleUp: { selectPolicy: 'Disabled' } } }
  assert.deepEqual(await watchReplicas(kubectl, target, () => upgrade(autoscalingValues(metric, idle))), [2])
  await upgrade(autoscalingValues(metric))
  await untilReplicas(kubectl, target, 1)
  const stop = await startLoad(kubectl, { release, image, program: 'capacity.mjs' })
  const upSeconds = await untilReplicas(kubectl, target, most)
  const { answered } = await stop()
  const downSeconds = await untilReplicas(kubectl, target, 1)
  return `1 to ${most} in ${upSeconds} s, back in ${downSeconds} s, ${answered} requests`
}

/** Scales tts from one replica to three under load, and back. By CPU when there are no images for the custom metrics API. */
export const scale = async (kubectl, helm, { chart, release, image, prometheus, adapter, values, upgrade }) => {
  const installation = { release, image, upgrade }
  if (prometheus === undefined || adapter === undefined) {
    const note = await scaleBy('cpu', kubectl, installation)
    return `by CPU, as not both --prometheus and --prometheus-adapter are given: ${note}`
  }
  const rules = await rulesOf(helm, { chart, release, values })
  const monitoring = { prometheus, adapter, watched: kubectl.namespace, rules }
  return withMonitoring(
    monitoring,
    async () => `by used capacity: ${await scaleBy('usedCapacity', kubectl, installation)}`,
  )
}
