// The whole platform with the models of a folder.
import { startStandalone } from '../../bench/harness/standalone.mjs'
import { eventually } from '../../bench/harness/waiting.mjs'
import { listVoices, speak, transcribe } from './speech-calls.mjs'

const withinMs = 180_000

/**
 * Starts the platform with the models of a folder, and resolves when the voices of a language with these variants, and the
 * recognizers of these names, have come. `env` is added to its environment.
 */
export const startWithModels = async ({ folder, modelsDir, language = 'en', variants, recognizers = [], env = {} }) => {
  const platform = await startStandalone({ folder, env: { MODELS_DIR: modelsDir, ...env } })
  const voicesNow = async () => {
    const voices = await listVoices(platform, language)
    return variants.every((id) => voices.some((voice) => voice.variants[0].id === id)) && voices
  }
  try {
    const voices = await eventually('the voices', voicesNow, { withinMs, everyMs: 500 })
    const word = await speak(platform, voices[0], 'Hello.')
    for (const name of recognizers) {
      await eventually(name, async () => (await transcribe(platform, name, word)) !== undefined, {
        withinMs,
        everyMs: 500,
      })
    }
    return { ...platform, voices }
  } catch (error) {
    await platform.stop()
    throw error
  }
}
