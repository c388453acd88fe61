import { createHash } from 'node:crypto'
import { iterate, type PushStream } from '@parlance/async/push-stream'
import type { Handlers } from '@parlance/bus'
import { type SynthesisChunk, type SynthesisRequest, spokenLanguage, type ttsContract } from '@parlance/contracts'
import type { Engine } from './engine/engine.js'
import { type Attempt, createFailover, type OnFallback } from './failover.js'
import type { Fallbacks } from './fallbacks.js'
import type { Lane, SpeechPermit } from './lane.js'
import { createVoiceFinder, type RequestedVoice, requestedVoice } from './requested-voice.js'
import type { SpeechCaches } from './speech-caches.js'

interface HandlerOptions {
  /** The engine whose requests these handlers answer. */
  readonly lane: Lane
  readonly laneOf: (engine: Engine) => Lane
  readonly fallbacks: () => Fallbacks
  readonly onFallback: OnFallback
  readonly kept: SpeechCaches | undefined
}

export const createHandlers = ({
  lane,
  laneOf,
  fallbacks,
  onFallback,
  kept,
}: HandlerOptions): Handlers<typeof ttsContract> => {
  let { voices } = lane.engine
  let find = createVoiceFinder(voices)
  /** An engine that was not there at the start has its voices later. */
  const findVoice = (name: string) => {
    if (voices !== lane.engine.voices) {
      voices = lane.engine.voices
      find = createVoiceFinder(voices)
    }
    return find(name)
  }

  const speech = (request: SynthesisRequest, deadlineMs: number): PushStream<SynthesisChunk> => {
    const acceptedMs = performance.now()
    const asked = requestedVoice(findVoice, request)
    const leftMs = () => Math.max(0, acceptedMs + deadlineMs - performance.now())
    let isAsAsked = true

    const attempt = (lane: Lane, voice: RequestedVoice, permit?: SpeechPermit): Attempt<SynthesisChunk> => ({
      engine: lane.engine.name,
      healthy: () => lane.engine.healthy(),
      speak: () => (permit ?? lane.admit(request, leftMs())).speak(request, voice, { acceptedMs }),
    })
    const instead = fallbacks()
      .of(asked.voice.id, asked.variant)
      .flatMap(({ engine, voice, variant }) => {
        // A voice that does not speak the language would mispronounce the text.
        const language = spokenLanguage(voice.languages, request.language)
        return language === undefined ? [] : [attempt(laneOf(engine), { voice, variant, language })]
      })
    const speak = (permit?: SpeechPermit) =>
      createFailover([attempt(lane, asked, permit), ...instead], (from, to, reason) => {
        isAsAsked = false
        onFallback(from, to, reason)
      })
    if (kept === undefined || (request.private && !kept.includesPrivate)) return speak()
    return kept.memory.speech(speechKey(lane.engine, request, asked), {
      acceptedMs,
      reserve: () => (lane.engine.healthy() ? lane.admit(request, leftMs()) : undefined),
      speak,
      isAsAsked: () => isAsAsked,
    })
  }

  return {
    // Nothing is awaited before the admission, so a worker that is full has left the queue group before the next call.
    synthesize: (request, { signal, deadlineMs }) => iterate(speech(request, deadlineMs), signal),
  }
}

/** The version of the format and the loudness of recordings. Recordings of other versions are not found. */
const format = 3

/**
 * Returns a hash of everything that a speech depends on. It includes the workspace, so that workspaces share no speech, and the
 * engine's info, so that no cached speech of an earlier version of the engine is used.
 */
export const speechKey = (
  { name, info }: Pick<Engine, 'name' | 'info'>,
  { workspace_id, text, cuts, output, speed, volume, alignment }: SynthesisRequest,
  { voice, variant, language }: RequestedVoice,
): string => {
  const { format: codec, sample_rate, bit_rate } = output
  const asked = [
    ...[format, name, info, workspace_id, text, cuts, voice.id, variant, language],
    ...[codec, sample_rate, bit_rate, speed, volume, [...alignment].sort()],
  ]
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url')
}
