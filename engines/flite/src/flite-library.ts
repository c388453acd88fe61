import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EngineUnavailableError } from '@parlance/engine/host'

/** An address in flite's memory; null where C has NULL. */
export type Pointer = bigint | null

/** The functions of flite that are used here. */
export interface FliteLibrary {
  /** By the name of the file, such as `2.2`; `unknown` where that cannot be read. */
  readonly version: string
  /** flite's name of each voice that is installed, and the voice. */
  readonly voices: ReadonlyMap<string, Pointer>
  /** The files of the other voices, which are not found or do not load. */
  readonly missingFiles: readonly string[]
  /** Sets the length of the voice's speech, as a multiple of its own. */
  setStretch(voice: Pointer, stretch: number): void
  /**
   * Speaks a text. Calls `onAudio` on this thread for each block until it returns false or the text ends. Returns an utterance
   * that the caller deletes; null when flite finds nothing to speak.
   */
  synthesize(text: string, voice: Pointer): Pointer
  deleteUtterance(utterance: Pointer): void
  /** The first item of one of an utterance's relations, such as `Segment` or `Token`. */
  firstItem(utterance: Pointer, relation: string): Pointer
  nextItem(item: Pointer): Pointer
  parentItem(item: Pointer): Pointer
  /** The same item as part of another relation. */
  itemAs(item: Pointer, relation: string): Pointer
  itemText(item: Pointer, feature: string): string
  itemNumber(item: Pointer, feature: string): number
}

/** Receives samples, which the listener may keep, of an utterance whose segments are known; returns whether more is wanted. */
export type OnAudio = (samples: Int16Array, utterance: Pointer) => boolean

const fileName = (library: string): string =>
  process.platform === 'win32'
    ? `${library}.dll`
    : process.platform === 'darwin'
      ? `${library}.dylib`
      : `${library}.so.1`

const loadedVersion = (): string => {
  try {
    return /libflite\.so\.([\d.]+)$/m.exec(readFileSync('/proc/self/maps', 'utf8'))?.[1] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}

/** Where flite and its voices come from. */
export const installHint = '(Debian: apt-get install libflite1)'

/** The samples that flite collects before each callback. */
const blockSamples = 960
const goOn = 0
const stop = -1

const loadKoffi = async () => {
  try {
    return (await import('koffi')).default
  } catch (cause) {
    throw new EngineUnavailableError('koffi, by which flite is called, does not run on this platform', { cause })
  }
}

/** A library without a reference is unloaded, although flite still uses its symbols. */
const keptLibraries: unknown[] = []

/**
 * Loads flite and those of the named voices that are installed, from a folder or from where the system finds them. Rejects
 * with an `EngineUnavailableError` when flite or all of the voices are missing.
 */
export const loadFliteLibrary = async (
  folder: string | undefined,
  voiceNames: readonly string[],
  onAudio: OnAudio,
): Promise<FliteLibrary> => {
  const koffi = await loadKoffi()
  const load = (library: string) => {
    const file = fileName(library)
    // The libraries of the voices and the language use symbols of the others.
    const loaded = koffi.load(folder === undefined ? file : join(folder, file), { global: true })
    keptLibraries.push(loaded)
    return loaded
  }
  const loadPart = (library: string) => {
    try {
      return load(library)
    } catch (cause) {
      const reason = `there is no flite to load: ${fileName(library)} is not found or does not load ${installHint}`
      throw new EngineUnavailableError(reason, { cause })
    }
  }
  const flite = loadPart('libflite')
  for (const part of ['libflite_usenglish', 'libflite_cmulex']) loadPart(part)
  const declare = (definition: string) => {
    try {
      return flite.func(definition)
    } catch (cause) {
      throw new EngineUnavailableError('the library that is called libflite is another one', { cause })
    }
  }

  const newUtterance = declare('void *new_utterance()')
  const setInputText = declare('void utt_set_input_text(void *utterance, const char *text)')
  const doSynth = declare('void *flite_do_synth(void *utterance, void *voice, void *method)')
  const newStreaming = declare('void *new_audio_streaming_info()')
  const streamingValue = declare('void *audio_streaming_info_val(void *streaming)')
  const setFeature = declare('void flite_feat_set(void *features, void *name, void *value)')
  const setNumber = declare('void flite_feat_set_float(void *features, void *name, float value)')
  const getNumber = declare('float flite_get_param_float(void *features, const char *name, float otherwise)')
  const relation = declare('void *utt_relation(void *utterance, const char *name)')
  const firstOf = declare('void *relation_head(void *relation)')
  const deleteUtterance = declare('void delete_utterance(void *utterance)')
  declare('int flite_init()')()
  const synthesis = flite.symbol('utt_synth') as Pointer

  const wave = koffi.struct({ type: 'void *', rate: 'int', count: 'int', channels: 'int', samples: 'void *' })
  const streaming = koffi.struct({
    least: 'int',
    callback: 'void *',
    utterance: 'void *',
    item: 'void *',
    data: 'void *',
  })
  const voiceStart = koffi.struct({ name: 'void *', features: 'void *' })

  /** flite stores the address of a feature's name, so the name is never freed. */
  const keptName = (name: string): Pointer => {
    const kept = koffi.alloc('char', name.length + 1) as Pointer
    koffi.encode(kept, 'char', name, name.length + 1)
    return kept
  }

  let run: { thrown?: { readonly error: unknown } } = {}
  const onBlock = (made: Pointer, start: number, count: number): number => {
    if (count <= 0) return goOn
    // An exception must not cross flite's frames.
    try {
      const { samples } = koffi.decode(made, wave) as { samples: Pointer }
      const { utterance } = koffi.decode(streamingInfo, streaming) as { utterance: Pointer }
      return onAudio(koffi.decode(samples, start * 2, 'int16_t', count) as Int16Array, utterance) ? goOn : stop
    } catch (error) {
      run.thrown = { error }
      return stop
    }
  }
  const callbackType = koffi.proto('int (void *wave, int start, int count, int last, void *streaming)')
  const callback = koffi.register(onBlock, koffi.pointer(callbackType))
  const streamingInfo = newStreaming() as Pointer
  koffi.encode(streamingInfo, streaming, { least: blockSamples, callback, utterance: null, item: null, data: null })
  const streamingFeature = streamingValue(streamingInfo) as Pointer

  const featuresOf = (voice: Pointer) => (koffi.decode(voice, voiceStart) as { features: Pointer }).features
  const streamingName = keptName('streaming_info')
  const stretchName = keptName('duration_stretch')
  const ownStretch = new Map<Pointer, number>()

  const voices = new Map<string, Pointer>()
  const missingFiles: string[] = []
  for (const name of voiceNames) {
    const library = `libflite_cmu_us_${name}`
    try {
      const register = load(library).func(`void *register_cmu_us_${name}(void *)`)
      const voice = register(null) as Pointer
      ownStretch.set(voice, getNumber(featuresOf(voice), 'duration_stretch', 1) as number)
      setFeature(featuresOf(voice), streamingName, streamingFeature)
      voices.set(name, voice)
    } catch {
      missingFiles.push(fileName(library))
    }
  }
  if (voices.size === 0) throw new EngineUnavailableError(`flite has none of its voices ${installHint}`)

  return {
    version: loadedVersion(),
    voices,
    missingFiles,
    setStretch: (voice, stretch) => setNumber(featuresOf(voice), stretchName, stretch * ownStretch.get(voice)!),
    synthesize: (text, voice) => {
      const own: typeof run = {}
      run = own
      const utterance = newUtterance() as Pointer
      setInputText(utterance, text)
      const spoken = doSynth(utterance, voice, synthesis) as Pointer
      if (own.thrown === undefined) return spoken
      deleteUtterance(spoken)
      throw own.thrown.error
    },
    deleteUtterance,
    firstItem: (utterance, name) => firstOf(relation(utterance, name)) as Pointer,
    nextItem: declare('void *item_next(void *item)'),
    parentItem: declare('void *item_parent(void *item)'),
    itemAs: declare('void *item_as(void *item, const char *relation)'),
    itemText: declare('const char *item_feat_string(void *item, const char *feature)'),
    itemNumber: declare('float item_feat_float(void *item, const char *feature)'),
  }
}
