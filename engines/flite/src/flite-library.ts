/** The functions of flite that are used here, in its libraries, which are loaded into this process. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  declareFunction,
  EngineUnavailableError,
  type Koffi,
  loadKoffi,
  type NativeLibrary,
} from '@parlance/engine/host'

/** An address in flite's memory; null where C has NULL. */
export type Pointer = bigint | null

/** Receives samples, which the listener may keep, of an utterance whose segments are known; returns whether more is wanted. */
export type OnAudio = (samples: Int16Array, utterance: Pointer) => boolean

/** How to install flite and its voices. */
export const installHint = '(Debian: apt-get install libflite1)'

/** A library without a reference is unloaded, although flite still uses its symbols. */
const keptLibraries: unknown[] = []

const fileName = (library: string): string =>
  process.platform === 'win32'
    ? `${library}.dll`
    : process.platform === 'darwin'
      ? `${library}.dylib`
      : `${library}.so.1`

const voiceLibrary = (voice: string): string => `libflite_cmu_us_${voice}`

/** The version in the name of the file, such as `2.2`; `unknown` when that cannot be read. */
const loadedVersion = (): string => {
  try {
    return /libflite\.so\.([\d.]+)$/m.exec(readFileSync('/proc/self/maps', 'utf8'))?.[1] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}

/** Loads flite and the language that it needs. Throws an `EngineUnavailableError` when one of the libraries is missing. */
const loadParts = (load: (library: string) => NativeLibrary): NativeLibrary => {
  const [flite] = ['libflite', 'libflite_usenglish', 'libflite_cmulex'].map((library) => {
    try {
      return load(library)
    } catch (cause) {
      const reason = `flite is not installed: ${fileName(library)} is missing or cannot be loaded ${installHint}`
      throw new EngineUnavailableError(reason, { cause })
    }
  })
  return flite!
}

/** Loads those of the named voices that are installed. Throws an `EngineUnavailableError` when there are none. */
const loadVoices = (names: readonly string[], load: (library: string) => NativeLibrary) => {
  const voices = new Map<string, Pointer>()
  const missingFiles: string[] = []
  for (const name of names) {
    try {
      const register = load(voiceLibrary(name)).func(`void *register_cmu_us_${name}(void *)`)
      voices.set(name, register(null) as Pointer)
    } catch {
      missingFiles.push(fileName(voiceLibrary(name)))
    }
  }
  if (voices.size === 0) throw new EngineUnavailableError(`no voice of flite is installed ${installHint}`)
  return { voices, missingFiles }
}

const declareFunctions = (flite: NativeLibrary) => {
  const declare = (declaration: string) => declareFunction(flite, 'libflite', declaration)
  return {
    init: declare('int flite_init()'),
    newUtterance: declare('void *new_utterance()'),
    setInputText: declare('void utt_set_input_text(void *utterance, const char *text)'),
    doSynth: declare('void *flite_do_synth(void *utterance, void *voice, void *method)'),
    deleteUtterance: declare('void delete_utterance(void *utterance)'),
    newStreaming: declare('void *new_audio_streaming_info()'),
    streamingValue: declare('void *audio_streaming_info_val(void *streaming)'),
    setFeature: declare('void flite_feat_set(void *features, void *name, void *value)'),
    setNumber: declare('void flite_feat_set_float(void *features, void *name, float value)'),
    getNumber: declare('float flite_get_param_float(void *features, const char *name, float otherwise)'),
    relation: declare('void *utt_relation(void *utterance, const char *name)'),
    relationHead: declare('void *relation_head(void *relation)'),
    nextItem: declare('void *item_next(void *item)'),
    parentItem: declare('void *item_parent(void *item)'),
    itemAs: declare('void *item_as(void *item, const char *relation)'),
    itemText: declare('const char *item_feat_string(void *item, const char *feature)'),
    itemNumber: declare('float item_feat_float(void *item, const char *feature)'),
  }
}

/** The samples that flite collects before each callback. */
const blockSamples = 960
const goOn = 0
const stop = -1

/**
 * The audio of voices that have the feature, while flite makes it. `onAudio` is called on this thread for each block until
 * it returns false or the text ends. Used once in a process.
 */
const createAudioStreaming = (
  koffi: Koffi,
  { newStreaming, streamingValue }: ReturnType<typeof declareFunctions>,
  onAudio: OnAudio,
) => {
  const wave = koffi.struct({ type: 'void *', rate: 'int', count: 'int', channels: 'int', samples: 'void *' })
  const streaming = koffi.struct({
    least: 'int',
    callback: 'void *',
    utterance: 'void *',
    item: 'void *',
    data: 'void *',
  })
  let thrown: { readonly error: unknown } | undefined

  const onBlock = (made: Pointer, start: number, count: number): number => {
    if (count <= 0) return goOn
    // An exception must not cross flite's frames.
    try {
      const { samples } = koffi.decode(made, wave) as { samples: Pointer }
      const { utterance } = koffi.decode(info, streaming) as { utterance: Pointer }
      return onAudio(koffi.decode(samples, start * 2, 'int16_t', count) as Int16Array, utterance) ? goOn : stop
    } catch (error) {
      thrown = { error }
      return stop
    }
  }
  const callbackType = koffi.proto('int (void *wave, int start, int count, int last, void *streaming)')
  const callback = koffi.register(onBlock, koffi.pointer(callbackType))
  const info = newStreaming() as Pointer
  koffi.encode(info, streaming, { least: blockSamples, callback, utterance: null, item: null, data: null })

  return {
    /** The value of a voice's feature `streaming_info`. */
    feature: streamingValue(info) as Pointer,
    /** Returns what `onAudio` has thrown since the last call. */
    takeThrown: () => {
      const taken = thrown
      thrown = undefined
      return taken
    },
  }
}

/**
 * Loads flite and those of the named voices that are installed, from a folder or from where the system finds them. Rejects
 * with an `EngineUnavailableError` when flite or all of the voices are missing.
 */
export const loadFliteLibrary = async (folder: string | undefined, voiceNames: readonly string[], onAudio: OnAudio) => {
  const koffi = await loadKoffi('flite')
  const load = (library: string): NativeLibrary => {
    const file = fileName(library)
    // The libraries of the voices and the language use symbols of the others.
    const loaded = koffi.load(folder === undefined ? file : join(folder, file), { global: true })
    keptLibraries.push(loaded)
    return loaded
  }
  const flite = loadParts(load)
  const functions = declareFunctions(flite)
  functions.init()
  const synthesis = flite.symbol('utt_synth') as Pointer
  const streaming = createAudioStreaming(koffi, functions, onAudio)
  const { voices, missingFiles } = loadVoices(voiceNames, load)

  /** flite stores the address of a feature's name, so the name is never freed. */
  const keptName = (name: string): Pointer => {
    const kept = koffi.alloc('char', name.length + 1) as Pointer
    koffi.encode(kept, 'char', name, name.length + 1)
    return kept
  }
  const voiceStart = koffi.struct({ name: 'void *', features: 'void *' })
  const featuresOf = (voice: Pointer): Pointer => (koffi.decode(voice, voiceStart) as { features: Pointer }).features

  const stretch = 'duration_stretch'
  const stretchName = keptName(stretch)
  const streamingName = keptName('streaming_info')
  const ownStretch = new Map<Pointer, number>()
  for (const voice of voices.values()) {
    ownStretch.set(voice, functions.getNumber(featuresOf(voice), stretch, 1) as number)
    functions.setFeature(featuresOf(voice), streamingName, streaming.feature)
  }

  return {
    version: loadedVersion(),
    /** flite's name of each voice that is installed, and the voice. */
    voices: voices as ReadonlyMap<string, Pointer>,
    /** The files of the other voices, which are not found or do not load. */
    missingFiles: missingFiles as readonly string[],
    /** Sets the length of the voice's speech, as a multiple of its own. */
    setStretch(voice: Pointer, factor: number): void {
      functions.setNumber(featuresOf(voice), stretchName, factor * ownStretch.get(voice)!)
    },
    /**
     * Speaks a text. Calls `onAudio` on this thread for each block until it returns false or the text ends. Returns an utterance
     * that the caller deletes; null when flite finds nothing to speak.
     */
    synthesize(text: string, voice: Pointer): Pointer {
      const input = functions.newUtterance() as Pointer
      functions.setInputText(input, text)
      const utterance = functions.doSynth(input, voice, synthesis) as Pointer
      const thrown = streaming.takeThrown()
      if (thrown === undefined) return utterance
      functions.deleteUtterance(utterance)
      throw thrown.error
    },
    deleteUtterance: functions.deleteUtterance as (utterance: Pointer) => void,
    /** The first item of one of an utterance's relations, such as `Segment` or `Token`. */
    firstItem: (utterance: Pointer, relation: string) =>
      functions.relationHead(functions.relation(utterance, relation)) as Pointer,
    nextItem: functions.nextItem as (item: Pointer) => Pointer,
    parentItem: functions.parentItem as (item: Pointer) => Pointer,
    /** The same item as part of another relation. */
    itemAs: functions.itemAs as (item: Pointer, relation: string) => Pointer,
    itemText: functions.itemText as (item: Pointer, feature: string) => string,
    itemNumber: functions.itemNumber as (item: Pointer, feature: string) => number,
  }
}

export type FliteLibrary = Awaited<ReturnType<typeof loadFliteLibrary>>
