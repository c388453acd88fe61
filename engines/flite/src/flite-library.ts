import { EngineUnavailableError } from '@parlance/engine/host'
import { createAudioStreaming, type OnAudio } from './audio-streaming.js'
import { type FliteFiles, installHint, loadFliteFiles, voiceFileName } from './flite-files.js'
import { type FliteFunctions, type FliteMemory, fliteFunctions, fliteMemory, type Pointer } from './flite-functions.js'

/** The functions of flite that are used here. */
export interface FliteLibrary {
  /** By the name of the file, such as `2.2`; `unknown` when that cannot be read. */
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

interface InstalledVoices {
  readonly voices: ReadonlyMap<string, Pointer>
  readonly missingFiles: readonly string[]
}

/** Loads those of the named voices that are installed. Throws an `EngineUnavailableError` when there are none. */
const loadVoices = (names: readonly string[], { loadVoice }: FliteFiles): InstalledVoices => {
  const voices = new Map<string, Pointer>()
  const missingFiles: string[] = []
  for (const name of names) {
    try {
      const register = loadVoice(name).func(`void *register_cmu_us_${name}(void *)`)
      voices.set(name, register(null) as Pointer)
    } catch {
      missingFiles.push(voiceFileName(name))
    }
  }
  if (voices.size === 0) throw new EngineUnavailableError(`no voice of flite is installed ${installHint}`)
  return { voices, missingFiles }
}

/** Returns `setStretch`, for which it reads the stretches that the voices have from the start. */
const stretcher = (
  voices: Iterable<Pointer>,
  { getNumber, setNumber }: FliteFunctions,
  { keptName, featuresOf }: FliteMemory,
): FliteLibrary['setStretch'] => {
  const name = 'duration_stretch'
  const stretchName = keptName(name)
  const ownStretch = new Map<Pointer, number>()
  for (const voice of voices) ownStretch.set(voice, getNumber(featuresOf(voice), name, 1) as number)
  return (voice, stretch) => setNumber(featuresOf(voice), stretchName, stretch * ownStretch.get(voice)!)
}

/**
 * Loads flite and those of the named voices that are installed, from a folder or from where the system finds them. Rejects
 * with an `EngineUnavailableError` when flite or all of the voices are missing.
 */
export const loadFliteLibrary = async (
  folder: string | undefined,
  voiceNames: readonly string[],
  onAudio: OnAudio,
): Promise<FliteLibrary> => {
  const files = await loadFliteFiles(folder)
  const functions = fliteFunctions(files.flite)
  functions.init()
  const synthesis = files.flite.symbol('utt_synth') as Pointer
  const memory = fliteMemory(files.koffi)
  const streaming = createAudioStreaming(files.koffi, functions, onAudio)
  const { voices, missingFiles } = loadVoices(voiceNames, files)
  const streamingName = memory.keptName('streaming_info')
  for (const voice of voices.values()) {
    functions.setFeature(memory.featuresOf(voice), streamingName, streaming.feature)
  }

  return {
    version: files.version,
    voices,
    missingFiles,
    setStretch: stretcher(voices.values(), functions, memory),
    synthesize(text, voice) {
      const { utterance, thrown } = streaming.run(() => {
        const utterance = functions.newUtterance() as Pointer
        functions.setInputText(utterance, text)
        return functions.doSynth(utterance, voice, synthesis) as Pointer
      })
      if (thrown === undefined) return utterance
      functions.deleteUtterance(utterance)
      throw thrown.error
    },
    deleteUtterance: functions.deleteUtterance,
    firstItem: (utterance, name) => functions.relationHead(functions.relation(utterance, name)) as Pointer,
    nextItem: functions.nextItem,
    parentItem: functions.parentItem,
    itemAs: functions.itemAs,
    itemText: functions.itemText,
    itemNumber: functions.itemNumber,
  }
}
