import { createClient, serve } from '@parlance/bus'
import { catalogContract, ttsContract } from '@parlance/contracts'
import { warmEncoders } from '@parlance/encoding'
import type { Service } from '@parlance/runtime'
import { openEspeakEngine } from './engine/espeak-engine.js'
import type { TtsEnv } from './env.js'
import { env } from './env.js'
import { createHandlers } from './handlers.js'
import { startVoiceOffer } from './voice-offer.js'

export const tts: Service<TtsEnv> = {
  name: 'tts',
  needs: ['bus'],
  env,

  async start({ bus, instanceId, logger, metrics, tracing }, { TTS_ENGINE_PROCESSES, TTS_QUEUE_LIMIT }) {
    const [engine] = await Promise.all([
      openEspeakEngine({
        logger,
        processes: TTS_ENGINE_PROCESSES,
        queueLimit: TTS_QUEUE_LIMIT,
        onReplace: () => metrics.engineRestart('espeak-ng'),
      }),
      warmEncoders(),
    ])
    metrics.ttsCapacity(engine.capacity)
    const served = await serve(bus, ttsContract, createHandlers(engine, metrics), {
      instanceId,
      logger,
      metrics,
      tracing,
      metadata: { engine: engine.name, voices: String(engine.voices.length), capacity: String(engine.capacity) },
    })
    const offer = startVoiceOffer(createClient(bus, catalogContract), bus.connected, instanceId, engine.voices)

    return {
      ready: () => bus.connected(),
      async stop() {
        offer.stop()
        await served.stop()
        await engine.close()
      },
    }
  },
}
