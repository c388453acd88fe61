/**
 * Three times as many requests as can be served: those that are admitted begin within their deadline, the others are refused as
 * soon as it is over, and the service has recovered 5 s later. Requests are sent at their times, independently of earlier ones.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { startBackingServers } from './harness/backing-servers.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBuild } from './harness/installed.mjs'
import { serviceNames, startParlance } from './harness/parlance-services.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { newSeed, seededRandom } from './harness/seeded-order.mjs'
import { requestSpeech } from './harness/speech-request.mjs'
import { median, percentile } from './harness/statistics.mjs'
import { firstVoice } from './harness/stream-load.mjs'
import { inTemporaryFolder } from './harness/temporary-folder.mjs'

const options = commandLine('three times as many requests as can be served', {
  workspaces: { type: 'number', default: 6, help: 'that the requests come from in turn' },
  processes: { type: 'number', default: 1, help: 'engine processes of the one worker' },
  sentences: { type: 'number', default: 2, help: 'of each text; one is some 4 s of audio' },
  light: { type: 'number', default: 0.3, help: 'the light load, as a share of what can be served' },
  heavy: { type: 'number', default: 3, help: 'the overload, likewise' },
  seconds: { type: 'number', default: 20, help: 'of each load' },
  seed: { type: 'number', default: newSeed(), help: 'of the arrivals, to repeat a run' },
})
needBuild(...serviceNames)

const sentence = 'Thank you for calling, we are open from Monday to Friday, from nine to five. '
const warmSeconds = 3
const capacitySeconds = 5
/** How long a text in one request may wait to begin, and how much later its refusal may arrive. */
const deadlineMs = 8_000
const refusalMs = 100
/** The longest time in which the service must have recovered. */
const recoverySeconds = 5

/** Texts spoken in a second while the queue is never empty. */
const measureCapacity = async (ask, seconds) => {
  const startedMs = performance.now()
  const endsAtMs = startedMs + seconds * 1_000
  let spoken = 0
  const caller = async () => {
    while (performance.now() < endsAtMs) {
      const { status } = await ask()
      if (status === 200 && performance.now() < endsAtMs) spoken += 1
      if (status !== 200) await delay(20)
    }
  }
  await Promise.all(Array.from({ length: options.processes + 2 }, caller))
  return (spoken * 1_000) / (performance.now() - startedMs)
}

/** Independent arrivals, so many a second on average. Resolves to the outcome of each and the time of its request, in s. */
const arrive = async (ask, random, { perSecond, seconds }) => {
  const startedMs = performance.now()
  const outcomes = []
  for (let atMs = 0; ; ) {
    atMs += (-Math.log(1 - random()) * 1_000) / perSecond
    if (atMs > seconds * 1_000) break
    const askedAtMs = startedMs + atMs
    const leftMs = askedAtMs - performance.now()
    if (leftMs > 0) await delay(leftMs)
    const atSeconds = atMs / 1_000
    outcomes.push(ask(askedAtMs).then((outcome) => ({ atSeconds, ...outcome })))
  }
  await delay(Math.max(0, startedMs + seconds * 1_000 - performance.now()))
  // The last requests are still being spoken when the next load begins.
  return () => Promise.all(outcomes)
}

const isAdmitted = ({ status }) => status === 200
const isRefused = ({ status, retryAfter }) => (status === 503 || status === 429) && Number(retryAfter) > 0

const summary = (name, outcomes) => {
  const admitted = outcomes.filter(isAdmitted).map(({ firstMs }) => firstMs)
  const refused = outcomes.filter(isRefused).map(({ doneMs }) => doneMs)
  const of = (values) =>
    values.length === 0
      ? undefined
      : { p50Ms: median(values), p95Ms: percentile(values, 0.95), p99Ms: percentile(values, 0.99) }
  return {
    name,
    asked: outcomes.length,
    admitted: admitted.length,
    refused: refused.length,
    other: outcomes.length - admitted.length - refused.length,
    firstAudio: of(admitted),
    refusal: of(refused),
  }
}

const { capacity, light, heavy, after } = await inTemporaryFolder(async (folder) => {
  const servers = await startBackingServers()
  let product
  try {
    const env = { TTS_ENGINE_PROCESSES: String(options.processes) }
    product = await startParlance({ servers, folder, env, workspaces: options.workspaces })
    const { url, authorizations } = product
    const body = JSON.stringify({
      text: sentence.repeat(options.sentences).trim(),
      voice_id: await firstVoice({ url, authorization: authorizations[0] }),
      output: { format: 'pcm_s16le', sample_rate: 24_000 },
    })
    let count = 0
    const ask = (askedAtMs) => {
      count += 1
      return requestSpeech({ url, authorization: authorizations[count % authorizations.length], body, askedAtMs })
    }
    say('warming up ...')
    await measureCapacity(ask, warmSeconds)
    const perSecond = await measureCapacity(ask, capacitySeconds)
    say(`${perSecond.toFixed(1)} texts a second can be spoken`)
    await delay(1_000)

    const random = seededRandom(options.seed)
    const lightLoad = { perSecond: perSecond * options.light, seconds: options.seconds }
    say('light load ...')
    const lightOnes = await arrive(ask, random, lightLoad)
    say('overload ...')
    const heavyOnes = await arrive(ask, random, { perSecond: perSecond * options.heavy, seconds: options.seconds })
    say('light load again ...')
    const lateOnes = await arrive(ask, random, lightLoad)
    return { capacity: perSecond, light: await lightOnes(), heavy: await heavyOnes(), after: await lateOnes() }
  } finally {
    await product?.stop()
    await servers.stop()
  }
})

const isLate = ({ atSeconds }) => atSeconds > recoverySeconds
const rows = [
  summary('light load', light),
  summary('overload', heavy),
  summary(
    `light again, first ${recoverySeconds} s`,
    after.filter((outcome) => !isLate(outcome)),
  ),
  summary(`light again, after ${recoverySeconds} s`, after.filter(isLate)),
]
const all = [...light, ...heavy, ...after]
const longestMs = (outcomes, time) => Math.max(0, ...outcomes.map(time))
const longestWaitMs = longestMs(all.filter(isAdmitted), ({ firstMs }) => firstMs)
const longestRefusalMs = longestMs(all.filter(isRefused), ({ doneMs }) => doneMs)
const lastRefusalSeconds = Math.max(0, ...after.filter(isRefused).map(({ atSeconds }) => atSeconds))
const inMs = (quantiles) =>
  quantiles === undefined
    ? ''
    : [quantiles.p50Ms, quantiles.p95Ms, quantiles.p99Ms].map((ms) => ms.toFixed(0)).join(' ')

const { json, assert, seed } = options
finish({
  json,
  assert,
  text: `${capacity.toFixed(1)} texts a second can be spoken\n\n${table(
    ['', 'asked', 'admitted', 'refused', 'other', 'first audio p50 p95 p99 ms', 'refusal p50 p95 p99 ms'],
    rows.map(({ name, asked, admitted, refused, other, firstAudio, refusal }) => [
      ...[name, asked, admitted, refused, other, inMs(firstAudio), inMs(refusal)],
    ]),
  )}`,
  figures: { seed, capacity, rows, lastRefusalSeconds },
  goals: [
    goal('longest time to the first audio of those admitted', longestWaitMs, ' ms', atMost(deadlineMs + refusalMs)),
    goal('longest time to a refusal', longestRefusalMs, ' ms', atMost(deadlineMs + refusalMs)),
    goal(
      'neither served nor given a Retry-After',
      rows.reduce((sum, { other }) => sum + other, 0),
      '',
      atMost(0),
    ),
    goal('last refusal after the overload', lastRefusalSeconds, ' s', atMost(recoverySeconds)),
  ],
})
