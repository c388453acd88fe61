import type { Handlers } from '@parlance/bus'
import { ServiceError, type ttsContract } from '@parlance/contracts'
import type { Metrics } from '@parlance/telemetry'
import type { Engine } from './engine/engine.js'
import { createVoiceFinder } from './requested-voice.js'
import type { AdmittedRequest, Scheduler } from './scheduler.js'
import { createSpeechInTurn } from './speech-in-turn.js'
import { synthesize } from './synthesis.js'

type TtsMetrics = Pick<
  Metrics,
  'ttsAudio' | 'ttsQueueTime' | 'ttsRealTimeFactor' | 'ttsRefusal' | 'ttsTimeToFirstAudio'
>

export const createHandlers = (
  engine: Engine,
  scheduler: Scheduler,
  metrics: TtsMetrics,
): Handlers<typeof ttsContract> => {
  const findVoice = createVoiceFinder(engine.voices)

  const admit = (workspaceId: string): AdmittedRequest => {
    try {
      return scheduler.admit(workspaceId)
    } catch (error) {
      if (error instanceof ServiceError) metrics.ttsRefusal(error.code)
      throw error
    }
  }

  return {
    // Up to the seat nothing is awaited, so that a worker that is full has left the queue group before the next call.
    async *synthesize(request, { signal }) {
      const voice = findVoice(request)
      const admitted = admit(request.workspace_id)
      const inTurn = createSpeechInTurn(engine, admitted, ({ audioMs, engineMs }) => {
        if (audioMs > 0) metrics.ttsRealTimeFactor(audioMs / engineMs)
      })
      try {
        for await (const chunk of synthesize(inTurn, request, voice, signal)) {
          if (chunk.event === 'started') {
            metrics.ttsQueueTime(chunk.queue_ms / 1000)
            metrics.ttsTimeToFirstAudio(chunk.ttfa_ms / 1000)
          } else if (chunk.event === 'audio') {
            metrics.ttsAudio(chunk.duration_ms / 1000)
          }
          yield chunk
        }
      } finally {
        admitted.leave()
      }
    },
  }
}
