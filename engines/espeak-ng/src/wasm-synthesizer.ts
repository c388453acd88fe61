import { readFileSync } from 'node:fs'
import { loadEspeakModule } from './espeak-module.js'
import { type Synthesizer, wholeCharacters } from './synthesizer.js'

const packageVersion = (): string => {
  const manifest = new URL(import.meta.resolve('@echogarden/espeak-ng-emscripten/package.json'))
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** Opens eSpeak NG as WebAssembly, which runs on every platform of Node. */
export const openWasmSynthesizer = async (): Promise<Synthesizer> => {
  const module = await loadEspeakModule()
  const worker = new module.eSpeakNGWorker()

  return {
    implementation: 'wasm',
    version: packageVersion(),
    sampleRateHz: worker.get_samplerate(),

    synthesize: (text, { voice, wordsPerMinute, pitch, range, volume }, listener) => {
      worker.set_voice(voice)
      worker.set_rate(wordsPerMinute)
      worker.set_pitch(pitch)
      worker.set_range(range)
      worker.set_volume(volume)
      worker.synthesize(text, (samples, events) => {
        for (const { type, text_position, audio_position, id } of events) {
          if (type === 'word') listener.onWord(text_position - 1)
          else if (type === 'phoneme') listener.onSound(wholeCharacters(String(id)), audio_position)
        }
        return samples.length > 0 && !listener.onAudio(samples)
      })
    },
  }
}
