import type { Koffi } from './flite-files.js'
import type { FliteFunctions, Pointer } from './flite-functions.js'

/** Receives samples, which the listener may keep, of an utterance whose segments are known; returns whether more is wanted. */
export type OnAudio = (samples: Int16Array, utterance: Pointer) => boolean

interface Thrown {
  readonly error: unknown
}

/** The audio of voices that have the feature, while flite makes it. */
export interface AudioStreaming {
  /** The value of a voice's feature `streaming_info`. */
  readonly feature: Pointer
  /** Calls `synthesize`. Returns the utterance that it returns, and what `onAudio` has thrown meanwhile. */
  run(synthesize: () => Pointer): { readonly utterance: Pointer; readonly thrown: Thrown | undefined }
}

/** The samples that flite collects before each callback. */
const blockSamples = 960
const goOn = 0
const stop = -1

/** Calls `onAudio` on this thread for each block until it returns false or the text ends. Used once in a process. */
export const createAudioStreaming = (koffi: Koffi, flite: FliteFunctions, onAudio: OnAudio): AudioStreaming => {
  const wave = koffi.struct({ type: 'void *', rate: 'int', count: 'int', channels: 'int', samples: 'void *' })
  const streaming = koffi.struct({
    least: 'int',
    callback: 'void *',
    utterance: 'void *',
    item: 'void *',
    data: 'void *',
  })
  let current: { thrown?: Thrown } = {}

  const onBlock = (made: Pointer, start: number, count: number): number => {
    if (count <= 0) return goOn
    // An exception must not cross flite's frames.
    try {
      const { samples } = koffi.decode(made, wave) as { samples: Pointer }
      const { utterance } = koffi.decode(info, streaming) as { utterance: Pointer }
      return onAudio(koffi.decode(samples, start * 2, 'int16_t', count) as Int16Array, utterance) ? goOn : stop
    } catch (error) {
      current.thrown = { error }
      return stop
    }
  }
  const callbackType = koffi.proto('int (void *wave, int start, int count, int last, void *streaming)')
  const callback = koffi.register(onBlock, koffi.pointer(callbackType))
  const info = flite.newStreaming() as Pointer
  koffi.encode(info, streaming, { least: blockSamples, callback, utterance: null, item: null, data: null })

  return {
    feature: flite.streamingValue(info) as Pointer,
    run(synthesize) {
      const own: typeof current = {}
      current = own
      const utterance = synthesize()
      return { utterance, thrown: own.thrown }
    },
  }
}
