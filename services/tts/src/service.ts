import { warmEncoders } from '@parlance/audio/encoding'
import type { Service } from '@parlance/runtime'
import { openEngines, readEnginesConfig } from './engines-config.js'
import type { TtsEnv } from './env.js'
import { env } from './env.js'
import { startInstalledModels } from './installed-models.js'
import { openSpeechCaches } from './speech-caches.js'
import { startSpeechWorker } from './speech-worker.js'

export const tts: Service<TtsEnv> = {
  name: 'tts',
  needs: ['bus'],
  metrics: ['bus', 'store', 'speech'],
  env,

  async start(platform, settings) {
    const { bus, logger, metrics, readSecret } = platform
    const config = await readEnginesConfig(settings.TTS_ENGINES_FILE, {
      espeakProcesses: settings.TTS_ENGINE_PROCESSES,
      cacheMegabytes: settings.TTS_CACHE_MEGABYTES,
      installedEngines: settings.TTS_INSTALLED_ENGINES,
    })
    const kept = await openSpeechCaches(config, platform)
    const context = { logger, readSecret, onReplace: metrics.engineRestart }
    const [engines] = await Promise.all([openEngines(config, context), warmEncoders()])
    const closeEngines = () => Promise.all(engines.map((engine) => engine.close()))
    const worker = await startSpeechWorker({
      platform,
      engines,
      fallbacks: config.fallbacks,
      place: config.place,
      queueLimit: settings.TTS_QUEUE_LIMIT,
      kept,
    }).catch(async (error: unknown) => {
      await closeEngines()
      throw error
    })
    // An engines file names all engines.
    const modelsDir = settings.TTS_ENGINES_FILE === undefined ? settings.MODELS_DIR : undefined
    const models = modelsDir === undefined ? undefined : startInstalledModels({ ...context, modelsDir, worker })

    return {
      ready: () => bus.connected() && worker.hasBeenHealthy,
      async stop() {
        // The worker first stops what the models then wait for.
        await Promise.all([worker.stop(), models?.stop()])
        await closeEngines()
      },
    }
  },
}
