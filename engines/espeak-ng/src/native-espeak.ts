import { type Espeak, type SynthesisListener, wholeCharacters } from './espeak.js'
import { loadEspeakLibrary, type OnBlock } from './espeak-library.js'

/**
 * The audio that eSpeak collects before each callback. It takes a tenth of a ms to make, so it hardly delays the first
 * audio.
 */
const bufferMs = 150

/** The values from `speak_lib.h`. */
const parameter = { rate: 1, volume: 2, pitch: 3, range: 4 }
const eventType = { listEnd: 0, word: 1, phoneme: 7 }
/** The C struct `espeak_EVENT` and the fields read here. The size of the pointer in it decides the offset of the last one. */
const wordBytes = process.arch === 'ia32' || process.arch === 'arm' ? 4 : 8
const event = { bytes: 24 + wordBytes + 8, textPosition: 8, audioPosition: 16, id: 24 + wordBytes, idBytes: 8 }
/** More events than eSpeak reports at a time. */
const maxEvents = 1024

const symbolAt = (events: Buffer, start: number): string => {
  // The bytes behind the end of a symbol are left over from another one.
  let end = start
  while (end < start + event.idBytes && events[end] !== 0) end++
  return wholeCharacters(events.toString('utf8', start, end))
}

/** The synthesis in progress. */
interface Run {
  readonly listener: SynthesisListener
  thrown?: { readonly error: unknown }
}

/**
 * Opens the system's libespeak-ng. It speaks the same words and sounds at the same times as the WebAssembly build, except for
 * small differences of their language data. Before 1.52 it reports the sounds without their stress. Rejects with an
 * `EngineUnavailableError` when the library cannot be used.
 */
export const openNativeEspeak = async (libraryPath?: string): Promise<Espeak> => {
  let run: Run | undefined

  // eSpeak writes to the same few addresses again and again, and each view of external memory costs V8 an entry.
  const views = new Map<bigint, Buffer>()
  const bytesAt = (address: bigint, length: number): Buffer => {
    let view = views.get(address)
    if (view === undefined || view.length < length) {
      view = Buffer.from(library.memory(address, length))
      views.set(address, view)
    }
    return view
  }

  const reportEvents = ({ onWord, onSound }: SynthesisListener, events: Buffer) => {
    for (let at = 0; ; at += event.bytes) {
      const type = events.readInt32LE(at)
      if (type === eventType.listEnd) return
      if (type === eventType.word) {
        // Some clauses begin with a word that is not in the text and is not spoken.
        const position = events.readInt32LE(at + event.textPosition)
        if (position > 0) onWord(position - 1)
      } else if (type === eventType.phoneme) {
        onSound(symbolAt(events, at + event.id), events.readInt32LE(at + event.audioPosition))
      }
    }
  }

  const onBlock: OnBlock = (samples, sampleCount, events) => {
    if (run === undefined) return 1
    // An exception must not cross the library's own frames.
    try {
      reportEvents(run.listener, bytesAt(events, maxEvents * event.bytes))
      if (samples === null || sampleCount <= 0) return 0
      const block = bytesAt(samples, Math.max(sampleCount, maxSamples) * 2)
      return run.listener.onAudio(new Int16Array(block.buffer, block.byteOffset, sampleCount)) ? 0 : 1
    } catch (error) {
      run.thrown = { error }
      return 1
    }
  }

  const library = await loadEspeakLibrary(libraryPath, bufferMs, onBlock)
  const maxSamples = Math.ceil((library.sampleRateHz * bufferMs) / 1000)

  return {
    implementation: 'native',
    version: library.version,
    sampleRateHz: library.sampleRateHz,

    synthesize: (text, { voice, wordsPerMinute, pitch, range, volume }, listener) => {
      library.setVoiceByName(voice)
      library.setParameter(parameter.rate, wordsPerMinute, 0)
      library.setParameter(parameter.pitch, pitch, 0)
      library.setParameter(parameter.range, range, 0)
      library.setParameter(parameter.volume, volume, 0)
      const own: Run = { listener }
      run = own
      library.synth(Buffer.from(`${text}\0`))
      run = undefined
      if (own.thrown !== undefined) throw own.thrown.error
    },
  }
}
