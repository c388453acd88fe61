import { iterate, type PushStream } from '@parlance/async/push-stream'
import type { Handlers } from '@parlance/bus'
import { type SynthesisChunk, type SynthesisRequest, spokenLanguage, type ttsContract } from '@parlance/contracts'
import { speechKey } from './cache/speech-key.js'
import type { Engine } from './engine/engine.js'
import { type Attempt, createFailover, type OnFallback } from './failover.js'
import type { Fallbacks } from './fallbacks.js'
import type { Lane, SpeechPermit } from './lane.js'
import { createVoiceFinder, type RequestedVoice, requestedVoice } from './requested-voice.js'
import type { SpeechCaches } from './speech-caches.js'

export interface HandlerOptions {
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
