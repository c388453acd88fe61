/**
 * An engine whose work is done by a server elsewhere.
 *
 * - An utterance is asked for again only while nothing of it has been heard.
 * - What comes is read at once, always, and kept for a slow reader: never more than there can be of such a text.
 * - Nobody waits for a server that is known to be unwell.
 * - No text of the server's reaches a client, and no secret a log.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type AlignmentKind, type OfferedVoice, ServiceError } from '@parlance/contracts'
import { isSpeakable } from '@parlance/speech'
import type { Logger } from '@parlance/telemetry'
import type { Engine, SpeakOptions, Utterance } from '../engine/engine.js'
import { createEventBuffer } from '../engine/event-buffer.js'
import { withEstimatedWords } from '../engine/estimated-words.js'
import { createFailureLog } from './failure-log.js'
import { plainText } from './plain-text.js'
import type { RemoteEngineSettings, RemoteModel } from './remote-config.js'
import { serviceErrorOf, toRemoteFailure } from './remote-failure.js'
import { idOfRemoteVoice, offeredRemoteVoice, type RemoteVoice } from './remote-voice.js'
import { retryDelayMs } from './retry-delay.js'
import { openServerHealth } from './server-health.js'
import { attemptSpeech, type RemoteSpeech } from './speech-attempt.js'
import { createSpeechDeadline } from './speech-deadline.js'
import type { RemoteUtterance, SpeechServer } from './speech-server.js'
import { createTurnQueue } from './turn-queue.js'

export interface RemoteEngineOptions {
  readonly name: string
  readonly info: Readonly<Record<string, string>>
  readonly sampleRateHz: number
  readonly models: readonly RemoteModel[]
  /** What the server's marks can be made into. */
  readonly alignment: readonly AlignmentKind[]
  /** Whether the server says when words are spoken; else that is reckoned. */
  readonly reportsTimes: boolean
  /** Those in the configuration; none where they are discovered. */
  readonly voices: readonly RemoteVoice[]
  readonly server: SpeechServer
  readonly settings: RemoteEngineSettings
  readonly logger: Logger
}

interface Job extends RemoteSpeech {
  readonly onStart: SpeakOptions['onStart']
  readonly onEnd: SpeakOptions['onEnd']
}

const unwell = () => new ServiceError('upstream_error', 'The speech engine is not available now. Try again later.')
const draining = () => new ServiceError('draining', 'The service is shutting down. Try again.')

/** Resolves when the server has been asked for the first time, whatever came of it. */
export const openRemoteEngine = async (options: RemoteEngineOptions): Promise<Engine> => {
  const { name, info, sampleRateHz, models, alignment, reportsTimes, server, settings } = options
  const { concurrency, timeouts } = settings
  const logger = options.logger.child({ engine: name })
  const logFailure = createFailureLog(logger)
  const turns = createTurnQueue(concurrency)
  const jobs = new Set<Job>()
  const listeners = new Set<() => void>()
  const closing = new AbortController()

  let known = new Map<string, RemoteVoice>()
  let offered: readonly OfferedVoice[] = []
  const learn = (voices: readonly RemoteVoice[]) => {
    known = new Map(voices.map((voice) => [idOfRemoteVoice(name, voice.id), voice]))
    offered = [...known.values()].map((voice) => offeredRemoteVoice(name, voice, models, alignment))
  }
  learn(options.voices)

  const health = await openServerHealth({
    failuresUntilUnhealthy: settings.health.failures,
    probeIntervalMs: settings.health.probe_interval_ms,
    firstRetryMs: settings.health.first_retry_ms,
    maxRetryMs: settings.health.max_retry_ms,
    async probe() {
      const deadline = createSpeechDeadline({
        unwanted: closing.signal,
        firstMs: timeouts.first_audio_ms,
        idleMs: timeouts.idle_ms,
        totalMs: timeouts.total_ms,
      })
      try {
        learn(await server.probe(deadline.signal))
      } catch (error) {
        const failure = toRemoteFailure(error)
        if (!closing.signal.aborted) logFailure(failure, 'A speech server did not say that it is well')
        throw failure
      } finally {
        deadline.clear()
      }
    },
    onChange(healthy) {
      if (healthy) logger.info({ count: offered.length }, 'A speech server is well: its voices are offered')
      else logger.error('A speech server is unwell: its voices are not offered until it is well again')
      for (const listener of listeners) listener()
    },
  })

  const speakJob = async (job: Job) => {
    const firstAudioBy = performance.now() + timeouts.first_audio_ms
    for (let count = 1; ; count++) {
      try {
        return await attemptSpeech(job, firstAudioBy - performance.now(), { server, settings, sampleRateHz })
      } catch (error) {
        job.unwanted.signal.throwIfAborted()
        const failure = toRemoteFailure(error)
        const waitMs = job.audioMs > 0 ? undefined : retryDelayMs(failure, count)
        if (waitMs === undefined || performance.now() + waitMs >= firstAudioBy) throw failure
        logger.debug({ err: failure, attempt: count }, 'An utterance is asked for again')
        await delay(waitMs, undefined, { signal: job.unwanted.signal })
      }
    }
  }

  /** From the end of the queue to the end of the speech; never rejects. */
  const run = async (job: Job) => {
    const { events, unwanted, onStart, onEnd } = job
    let leave = () => {}
    try {
      leave = await turns.enter(unwanted.signal)
      if (!health.healthy()) throw unwell()
      const startedMs = performance.now()
      onStart?.()
      await speakJob(job).finally(() => onEnd?.({ audioMs: job.audioMs, engineMs: performance.now() - startedMs }))
      health.succeeded()
      events.end()
    } catch (error) {
      if (unwanted.signal.aborted) return
      if (error instanceof ServiceError) return events.fail(error)
      const failure = toRemoteFailure(error)
      logFailure(failure, 'An utterance failed')
      if (failure.countsAgainstServer) health.failed()
      events.fail(serviceErrorOf(failure))
    } finally {
      jobs.delete(job)
      leave()
    }
  }

  const drop = (job: Job, reason: unknown) => {
    job.events.fail(reason)
    job.unwanted.abort(reason)
  }

  const remoteUtterance = ({ text, voiceId, variant, language, speed }: Utterance): RemoteUtterance => {
    const voice = known.get(voiceId)
    const model = models.find((model) => model.variant === variant)
    if (voice === undefined || model === undefined) throw unwell()
    return { text: plainText(text), voice, model: model.id, language: language ?? undefined, speed }
  }

  return {
    name,
    info,
    synthesis: 'neural',
    sampleRateHz,
    get voices() {
      return offered
    },
    capacity: concurrency,
    active: () => jobs.size,
    healthy: health.healthy,
    onHealthChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    async *speak(utterance, { signal, onStart, onEnd }) {
      signal.throwIfAborted()
      if (closing.signal.aborted) throw draining()
      // A server asked to say nothing answers with an error, or with a bill.
      if (!isSpeakable(utterance.text)) return
      const job: Job = {
        utterance: remoteUtterance(utterance),
        originalText: utterance.text,
        volume: utterance.volume,
        events: createEventBuffer(),
        unwanted: new AbortController(),
        onStart,
        onEnd,
        audioMs: 0,
      }
      const abort = () => drop(job, signal.reason)
      jobs.add(job)
      signal.addEventListener('abort', abort, { once: true })
      void run(job)
      try {
        yield* reportsTimes ? job.events : withEstimatedWords(job.events, utterance.text, sampleRateHz)
      } finally {
        signal.removeEventListener('abort', abort)
        if (jobs.has(job)) drop(job, undefined)
      }
    },

    async close() {
      closing.abort()
      health.close()
      for (const job of jobs) drop(job, draining())
      await server.close()
    },
  }
}
