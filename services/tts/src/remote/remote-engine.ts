/**
 * An engine that uses a speech server.
 *
 * - Audio is always read at once and buffered for a slow reader, up to the maximum that the text can produce.
 * - Utterances are limited and retried by `remote-jobs.ts`, and refused while the server is not healthy.
 * - No error text of the server is sent to a client, and no secret is logged.
 */
import { createQueue } from '@parlance/async'
import { concatPcm } from '@parlance/audio'
import { type AlignmentKind, draining } from '@parlance/contracts'
import { isSpeakable } from '@parlance/speech'
import { estimateWordTimes, spokenWords } from '@parlance/speech/word-times'
import type { Logger } from '@parlance/telemetry'
import type { Engine, SpeechEvent, Utterance } from '../engine/engine.js'
import type { RemoteEngineSettings, RemoteModel } from './remote-config.js'
import { createFailureLog, toRemoteFailure } from './remote-failure.js'
import { notHealthy, type RemoteJob, RemoteJobs } from './remote-jobs.js'
import { createRemoteVoices, type RemoteVoice, type RemoteVoices } from './remote-voice.js'
import { openServerHealth } from './server-health.js'
import { createSpeechDeadline } from './speech-attempt.js'
import type { RemoteUtterance, SpeechServer } from './speech-server.js'

/** The beginnings of tags, pauses and pronunciations that some models interpret in a text. */
const tagStart = /<(?=[/!?]?\p{L})/gu
const bracketed = /\[([^[\]]{0,200})\]/gu

/**
 * Returns a text for a server that may interpret parts of it as markup and has no option against it. Its length is that of the
 * original, so that offsets are valid in both.
 */
const plainText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .replace(tagStart, ' ')
    .replace(bracketed, '($1)')

/** Adds word times to the speech of `text` by an engine that reports none. They come last, estimated from the audio. */
async function* withEstimatedWords(
  speech: AsyncIterable<SpeechEvent>,
  text: string,
  sampleRateHz: number,
): AsyncGenerator<SpeechEvent> {
  const received: Int16Array[] = []
  for await (const event of speech) {
    if (event.kind === 'audio') received.push(event.pcm)
    yield event
  }
  const words = estimateWordTimes(spokenWords(text), concatPcm(received), sampleRateHz)
  if (words.length > 0) yield { kind: 'marks', words, phonemes: [] }
}

interface RemoteEngineOptions {
  readonly name: string
  /** The API of the server, and its version where it has one. */
  readonly implementation: string
  readonly version?: string
  readonly sampleRateHz: number
  /** The alignment that the server's marks allow. */
  readonly alignment: readonly AlignmentKind[]
  /** Whether the server reports the times of words. Otherwise they are estimated. */
  readonly reportsTimes: boolean
  readonly server: SpeechServer
  readonly config: RemoteEngineSettings & {
    readonly models: readonly RemoteModel[]
    /** `discover`: the server lists them. */
    readonly voices: readonly RemoteVoice[] | 'discover'
  }
  readonly logger: Logger
}

/** Asks the server for its voices, within its time limits. */
const askForVoices = async (
  { server, config: { timeouts } }: RemoteEngineOptions,
  closing: AbortSignal,
): Promise<readonly RemoteVoice[]> => {
  const deadline = createSpeechDeadline({
    unwanted: closing,
    firstMs: timeouts.first_audio_ms,
    idleMs: timeouts.idle_ms,
    totalMs: timeouts.total_ms,
  })
  try {
    return await server.probe(deadline.signal)
  } finally {
    deadline.clear()
  }
}

const remoteUtterance = (
  { text, voiceId, variant, language, speed }: Utterance,
  voices: RemoteVoices,
  models: readonly RemoteModel[],
): RemoteUtterance => {
  const voice = voices.find(voiceId)
  const model = models.find((model) => model.variant === variant)
  if (voice === undefined || model === undefined) throw notHealthy()
  return { text: plainText(text), voice, model: model.id, language: language ?? undefined, speed }
}

/** Opens the engine of a server. Resolves after the first probe, whatever its result. */
export const openRemoteEngine = async (options: RemoteEngineOptions): Promise<Engine> => {
  const { name, implementation, version, sampleRateHz, alignment, reportsTimes, server, config, logger } = options
  const { models } = config
  const logFailure = createFailureLog(logger)
  const listeners = new Set<() => void>()
  const closing = new AbortController()
  const voices = createRemoteVoices({ engine: name, models, alignment })
  if (config.voices !== 'discover') voices.set(config.voices)

  const health = await openServerHealth({
    failuresUntilUnhealthy: config.health.failures,
    probeIntervalMs: config.health.probe_interval_ms,
    firstRetryMs: config.health.first_retry_ms,
    maxRetryMs: config.health.max_retry_ms,
    async probe() {
      try {
        voices.set(await askForVoices(options, closing.signal))
      } catch (error) {
        const failure = toRemoteFailure(error)
        if (!closing.signal.aborted) logFailure(failure, 'The probe of a speech server failed')
        throw failure
      }
    },
    onChange(healthy) {
      if (healthy) logger.info({ count: voices.offered().length }, 'A speech server is healthy: its voices are offered')
      else logger.error('A speech server is not healthy: its voices are not offered until it is healthy again')
      for (const listener of listeners) listener()
    },
  })
  const jobs = new RemoteJobs({ server, settings: config, sampleRateHz, health, logFailure })

  return {
    name,
    info: {
      implementation,
      ...(version === undefined ? {} : { version }),
      models: models.map(({ id }) => id).join(', '),
    },
    synthesis: 'neural',
    sampleRateHz,
    get voices() {
      return voices.offered()
    },
    capacity: config.concurrency,
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
      const job: RemoteJob = {
        utterance: remoteUtterance(utterance, voices, models),
        originalText: utterance.text,
        volume: utterance.volume,
        events: createQueue(),
        unwanted: new AbortController(),
        onStart,
        onEnd,
        audioMs: 0,
      }
      const abort = () => jobs.drop(job, signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      jobs.start(job)
      try {
        yield* reportsTimes ? job.events : withEstimatedWords(job.events, utterance.text, sampleRateHz)
      } finally {
        signal.removeEventListener('abort', abort)
        if (jobs.has(job)) jobs.drop(job, undefined)
      }
    },

    async close() {
      closing.abort()
      health.close()
      jobs.dropAll(draining())
      await server.close()
    },
  }
}
