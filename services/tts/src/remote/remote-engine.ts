/**
 * An engine that uses a speech server.
 *
 * - An utterance is requested again only while no audio of it was received.
 * - Audio is always read at once and buffered for a slow reader, up to the most that there can be for such a text.
 * - An utterance fails at once while the server is known not to be healthy.
 * - No error text of the server is sent to a client, and no secret is logged.
 */
import { createQueue, createSemaphore, retry } from '@parlance/async'
import { type AlignmentKind, type OfferedVoice, ServiceError } from '@parlance/contracts'
import { isSpeakable } from '@parlance/speech'
import type { Logger } from '@parlance/telemetry'
import type { Engine, SpeakOptions, Utterance } from '../engine/engine.js'
import { withEstimatedWords } from '../engine/estimated-words.js'
import { createFailureLog } from './failure-log.js'
import { plainText } from './plain-text.js'
import type { RemoteEngineSettings, RemoteModel } from './remote-config.js'
import { serviceErrorOf, toRemoteFailure } from './remote-failure.js'
import { idOfRemoteVoice, offeredRemoteVoice, type RemoteVoice } from './remote-voice.js'
import { openServerHealth } from './server-health.js'
import { attemptSpeech, type RemoteSpeech } from './speech-attempt.js'
import { createSpeechDeadline } from './speech-deadline.js'
import type { RemoteUtterance, SpeechServer } from './speech-server.js'

export interface RemoteEngineOptions {
  readonly name: string
  readonly info: Readonly<Record<string, string>>
  readonly sampleRateHz: number
  readonly models: readonly RemoteModel[]
  /** The alignment that the server's marks allow. */
  readonly alignment: readonly AlignmentKind[]
  /** Whether the server reports the times of words. Otherwise they are estimated. */
  readonly reportsTimes: boolean
  /** The voices of the configuration; empty where the server is asked for them. */
  readonly voices: readonly RemoteVoice[]
  readonly server: SpeechServer
  readonly settings: RemoteEngineSettings
  readonly logger: Logger
}

interface Job extends RemoteSpeech {
  readonly onStart: SpeakOptions['onStart']
  readonly onEnd: SpeakOptions['onEnd']
}

const retryPolicy = { maxAttempts: 3, backoff: { firstMs: 100, maxMs: 1000 } }

const notHealthy = () => new ServiceError('upstream_error', 'The speech engine is not available now. Try again later.')
const draining = () => new ServiceError('draining', 'The service is shutting down. Try again.')

/** Opens the engine of a server. Resolves after the first probe, whatever its result. */
export const openRemoteEngine = async (options: RemoteEngineOptions): Promise<Engine> => {
  const { name, info, sampleRateHz, models, alignment, reportsTimes, server, settings } = options
  const { concurrency, timeouts } = settings
  const logger = options.logger.child({ engine: name })
  const logFailure = createFailureLog(logger)
  const permits = createSemaphore(concurrency)
  const jobs = new Set<Job>()
  const listeners = new Set<() => void>()
  const closing = new AbortController()

  let known = new Map<string, RemoteVoice>()
  let offered: readonly OfferedVoice[] = []
  const setVoices = (voices: readonly RemoteVoice[]) => {
    known = new Map(voices.map((voice) => [idOfRemoteVoice(name, voice.id), voice]))
    offered = [...known.values()].map((voice) => offeredRemoteVoice(name, voice, models, alignment))
  }
  setVoices(options.voices)

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
        setVoices(await server.probe(deadline.signal))
      } catch (error) {
        const failure = toRemoteFailure(error)
        if (!closing.signal.aborted) logFailure(failure, 'The probe of a speech server failed')
        throw failure
      } finally {
        deadline.clear()
      }
    },
    onChange(healthy) {
      if (healthy) logger.info({ count: offered.length }, 'A speech server is healthy: its voices are offered')
      else logger.error('A speech server is not healthy: its voices are not offered until it is healthy again')
      for (const listener of listeners) listener()
    },
  })

  const speakJob = (job: Job) => {
    const deadlineMs = performance.now() + timeouts.first_audio_ms
    return retry(() => attemptSpeech(job, deadlineMs - performance.now(), { server, settings, sampleRateHz }), {
      ...retryPolicy,
      deadlineMs,
      signal: job.unwanted.signal,
      shouldRetry: (error) => job.audioMs === 0 && toRemoteFailure(error).mayTryAgain,
      retryAfterMs: (error) => toRemoteFailure(error).retryAfterMs,
    })
  }

  /** Waits for a permit and speaks a job; never rejects. */
  const run = async (job: Job) => {
    const { events, unwanted, onStart, onEnd } = job
    let release = () => {}
    try {
      release = await permits.acquire(unwanted.signal)
      if (!health.healthy()) throw notHealthy()
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
      release()
    }
  }

  const drop = (job: Job, reason: unknown) => {
    job.events.fail(reason)
    job.unwanted.abort(reason)
  }

  const remoteUtterance = ({ text, voiceId, variant, language, speed }: Utterance): RemoteUtterance => {
    const voice = known.get(voiceId)
    const model = models.find((model) => model.variant === variant)
    if (voice === undefined || model === undefined) throw notHealthy()
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
      // A server may answer a text without words with an error, or bill it.
      if (!isSpeakable(utterance.text)) return
      const job: Job = {
        utterance: remoteUtterance(utterance),
        originalText: utterance.text,
        volume: utterance.volume,
        events: createQueue(),
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
