import type { Handlers } from '@parlance/bus'
import type { ttsContract } from '@parlance/contracts'
import type { Metrics } from '@parlance/telemetry'
import type { Engine } from './engine/engine.js'
import { createVoiceFinder } from './requested-voice.js'
import { synthesize } from './synthesis.js'

type TtsMetrics = Pick<Metrics, 'ttsActive' | 'ttsAudio' | 'ttsQueueTime' | 'ttsTimeToFirstAudio'>

export const createHandlers = (engine: Engine, metrics: TtsMetrics): Handlers<typeof ttsContract> => {
  const findVoice = createVoiceFinder(engine.voices)

  return {
    async *synthesize(request, { signal }) {
      const voice = findVoice(request)
      for await (const chunk of synthesize(engine, request, voice, signal)) {
        if (chunk.event === 'started') {
          metrics.ttsQueueTime(chunk.queue_ms / 1000)
          metrics.ttsTimeToFirstAudio(chunk.ttfa_ms / 1000)
          metrics.ttsActive(engine.active())
        } else if (chunk.event === 'audio') {
          metrics.ttsAudio(chunk.duration_ms / 1000)
        }
        yield chunk
      }
    },
  }
}
