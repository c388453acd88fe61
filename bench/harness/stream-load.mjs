/**
 * Load for the streaming WebSocket: callers at once, each with a connection of its own, which speak one text after another.
 * A caller sends a text as a language model writes it, and waits for the time that its audio lasts before the next text.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { say } from './report.mjs'
import { longerSentences } from './sample-sentences.mjs'
import { seededOrder } from './seeded-order.mjs'
import { sum } from './statistics.mjs'
import { connectCaller } from './stream-caller.mjs'

/** A language model at some 30 words a second. */
const modelWordMs = 33
/** Callers begin one after the other: all within this time, or where they are many, `leastBetweenMs` apart. */
const beginWithinMs = 1_000
const leastBetweenMs = 30
/** How long a caller waits after a retryable refusal. */
const refusedWaitMs = 1_000

export const firstVoice = async ({ url, authorization }) => {
  const response = await fetch(`${url}/v1/voices`, { headers: { authorization } })
  const body = await response.json()
  if (!response.ok) throw new Error(`GET /v1/voices answered ${response.status} ${body.code}: ${body.detail}`)
  if (body.voices.length === 0) throw new Error('The installation offers no voice.')
  return body.voices[0].id
}

/** Seconds of audio that a worker has made so far. */
const audioSecondsOf = async (url) => {
  const text = await (await fetch(url)).text()
  return sum(
    [...text.matchAll(/^parlance_tts_audio_seconds_total(?:\{.*\})? (\S+)$/gm)].map(([, seconds]) => Number(seconds)),
  )
}

/** Calls until the time is over. */
const call = async ({ target, voiceId, sampleRateHz, endsAtMs, nextText, figures }) => {
  let caller
  while (performance.now() < endsAtMs) {
    try {
      caller ??= await connectCaller(target)
      const turn = await caller.speak({ text: nextText(), voiceId, wordMs: modelWordMs, sampleRateHz })
      figures.turns.push(turn)
      // A person listens to the end and then speaks one sentence.
      await delay(Math.max(0, turn.ttfaMs + turn.audioMs - turn.doneAfterMs) + 500)
    } catch (error) {
      if (error.refusal === undefined) throw error
      figures.refusals[error.refusal] = (figures.refusals[error.refusal] ?? 0) + 1
      if (/^(close|http)_/.test(error.refusal)) caller = undefined
      await delay(refusedWaitMs)
    }
  }
  caller?.close()
}

const createTexts = (seed) => {
  const inOrder = seededOrder(seed)
  let left = []
  return () => {
    if (left.length === 0) left = [...inOrder(longerSentences)]
    return left.pop()
  }
}

/**
 * Runs the callers for `seconds` from when all have begun, and until their last turns are over. Resolves with `{ turns, refusals,
 * seconds, audioSeconds, shares }`: the figures of each turn (`stream-caller.mjs`), how often the server
 * refused with each code, and the share that each of the workers at `metricUrls` has in the audio that they made.
 */
export const loadStreams = async (
  target,
  { streams, seconds, voiceId, sampleRateHz = 24_000, seed, metricUrls = [] },
) => {
  const figures = { turns: [], refusals: {} }
  const nextText = createTexts(seed)
  const madeBefore = await Promise.all(metricUrls.map(audioSecondsOf))
  const startedMs = performance.now()
  const betweenMs = Math.max(beginWithinMs / streams, leastBetweenMs)
  const endsAtMs = startedMs + streams * betweenMs + seconds * 1000
  const progress = setInterval(() => {
    const left = Math.max(0, Math.round((endsAtMs - performance.now()) / 1000))
    say(`${figures.turns.length} turns, ${left} s left`)
  }, 5_000)
  try {
    const callers = Array.from({ length: streams }, async (_, n) => {
      await delay(n * betweenMs)
      await call({ target, voiceId, sampleRateHz, endsAtMs, nextText, figures })
    })
    await Promise.all(callers)
  } finally {
    clearInterval(progress)
  }
  const tookSeconds = (performance.now() - startedMs) / 1000
  const made = (await Promise.all(metricUrls.map(audioSecondsOf))).map((audio, n) => audio - madeBefore[n])
  const all = sum(made)
  return {
    ...figures,
    seconds: tookSeconds,
    audioSeconds: sum(figures.turns.map(({ audioMs }) => audioMs)) / 1000,
    shares: made.map((audio) => (all === 0 ? 0 : audio / all)),
  }
}
