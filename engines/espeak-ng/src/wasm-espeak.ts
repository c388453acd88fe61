/// <reference path="./espeak-ng-emscripten.d.ts" />
import { openSync, readFileSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import loadModule, { type EspeakModule, type EspeakModuleOptions } from '@echogarden/espeak-ng-emscripten'
import { type Espeak, wholeCharacters } from './espeak.js'

/**
 * Loads eSpeak NG as WebAssembly without its 24 MB of language data. The data is declared as untouched memory, which takes no
 * pages, and the part of a file is read when the engine opens that file for the first time.
 */
const loadEspeakModule = async (): Promise<EspeakModule> => {
  const data = openSync(fileURLToPath(import.meta.resolve('@echogarden/espeak-ng-emscripten/espeak-ng.data')), 'r')
  const unread = new Map<string, Uint8Array>()

  const options: EspeakModuleOptions = {
    getPreloadedPackage: (_name, sizeBytes) => new ArrayBuffer(sizeBytes),
    preInit: [
      () => {
        const createDataFile = options.FS_createDataFile!
        options.FS_createDataFile = (path, name, content, ...flags) => {
          unread.set(path, content)
          createDataFile(path, name, content, ...flags)
        }
      },
    ],
  }
  const module = await loadModule(options)

  const open = module.FS.open
  module.FS.open = (path, ...rest) => {
    const content = unread.get(path)
    if (content !== undefined) {
      unread.delete(path)
      readSync(data, content, 0, content.length, content.byteOffset)
    }
    return open(path, ...rest)
  }
  return module
}

const packageVersion = (): string => {
  const manifest = new URL(import.meta.resolve('@echogarden/espeak-ng-emscripten/package.json'))
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** Opens eSpeak NG as WebAssembly, which runs on every platform of Node. */
export const openWasmEspeak = async (): Promise<Espeak> => {
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
