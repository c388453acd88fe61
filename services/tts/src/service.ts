import { createClient, type ServedContract, serve } from '@parlance/bus'
import { catalogContract, ttsContract } from '@parlance/contracts'
import { warmEncoders } from '@parlance/encoding'
import type { Service } from '@parlance/runtime'
import { openEspeakEngines } from './engine/espeak-engine.js'
import type { TtsEnv } from './env.js'
import { env } from './env.js'
import { createHandlers } from './handlers.js'
import { createScheduler } from './scheduler.js'
import { startVoiceOffer } from './voice-offer.js'

export const tts: Service<TtsEnv> = {
  name: 'tts',
  needs: ['bus'],
  env,

  async start({ bus, instanceId, logger, metrics, tracing }, { TTS_ENGINE_PROCESSES, TTS_QUEUE_LIMIT }) {
    const readSecret = () => {
      throw new Error('the built-in engine has no secrets')
    }
    const [[engine]] = await Promise.all([
      openEspeakEngines(
        'espeak-ng',
        { type: 'espeak-ng', implementation: 'auto', processes: TTS_ENGINE_PROCESSES },
        { logger, readSecret, onReplace: metrics.engineRestart },
      ),
      warmEncoders(),
    ])
    metrics.ttsCapacity(engine.capacity)
    let served: ServedContract | undefined
    const scheduler = createScheduler({
      engines: engine.capacity,
      queueLimit: TTS_QUEUE_LIMIT ?? engine.capacity,
      onChange() {
        metrics.ttsActive(scheduler.running())
        metrics.ttsWaiting(scheduler.waiting())
        // Who is full leaves the queue group: the bus is the balancer, and that nobody is there means that all are full.
        served?.setAvailable(scheduler.hasRoom())
      },
    })
    served = await serve(bus, ttsContract, createHandlers(engine, scheduler, metrics), {
      instanceId,
      logger,
      metrics,
      tracing,
      metadata: {
        engine: engine.name,
        ...engine.info,
        voices: String(engine.voices.length),
        capacity: String(engine.capacity),
      },
    })
    const offer = startVoiceOffer(createClient(bus, catalogContract), bus.connected, instanceId, engine.voices)

    return {
      ready: () => bus.connected(),
      async stop() {
        scheduler.drain()
        offer.stop()
        await served.stop()
        await engine.close()
      },
    }
  },
}
