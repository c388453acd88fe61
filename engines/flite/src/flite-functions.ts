import { EngineUnavailableError } from '@parlance/engine/host'
import type { LibraryHandle } from 'koffi'
import type { Koffi } from './flite-files.js'

/** Declares the functions of flite that are used here. Throws an `EngineUnavailableError` where one is missing. */
export const fliteFunctions = (flite: LibraryHandle) => {
  const declare = (definition: string) => {
    try {
      return flite.func(definition)
    } catch (cause) {
      throw new EngineUnavailableError('the file named libflite is a different library', { cause })
    }
  }
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

export type FliteFunctions = ReturnType<typeof fliteFunctions>

/** An address in flite's memory; null where C has NULL. */
export type Pointer = bigint | null

/** Reads and writes flite's memory without its functions. */
export const fliteMemory = (koffi: Koffi) => {
  const voiceStart = koffi.struct({ name: 'void *', features: 'void *' })
  return {
    /** flite stores the address of a feature's name, so the name is never freed. */
    keptName(name: string): Pointer {
      const kept = koffi.alloc('char', name.length + 1) as Pointer
      koffi.encode(kept, 'char', name, name.length + 1)
      return kept
    },
    featuresOf: (voice: Pointer): Pointer => (koffi.decode(voice, voiceStart) as { features: Pointer }).features,
  }
}

export type FliteMemory = ReturnType<typeof fliteMemory>
