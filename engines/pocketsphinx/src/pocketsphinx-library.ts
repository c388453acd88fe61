import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EngineUnavailableError, loadKoffi } from '@parlance/engine/host'
import type { Acoustics } from '@parlance/engine/protocol'

/** An address in the library's memory; null where C has NULL. */
type Pointer = bigint | null

const libraryInstalled = '(Debian: apt-get install libpocketsphinx3)'
const modelInstalled = '(Debian: apt-get install pocketsphinx-en-us)'

const modelFolders = ['/usr/share/pocketsphinx/model/en-us', '/usr/local/share/pocketsphinx/model/en-us']

/** A library without a reference is unloaded. */
const keptLibraries: unknown[] = []

const findModel = (folders: readonly string[]): string => {
  const found = folders.find((folder) => existsSync(join(folder, 'en-us.lm.bin')))
  if (found !== undefined) return found
  throw new EngineUnavailableError(`the English model of pocketsphinx is not installed ${modelInstalled}`)
}

/**
 * Loads the library, and a decoder with its acoustic model, dictionary and language model, in about half a second. Every
 * call is synchronous. Rejects with an `EngineUnavailableError` where one of them is missing.
 */
export const loadPocketsphinxLibrary = async (modelFolder?: string) => {
  const model = findModel(modelFolder === undefined ? modelFolders : [modelFolder])
  const koffi = await loadKoffi('pocketsphinx')
  const load = (file: string) => {
    try {
      const loaded = koffi.load(file, { global: true })
      keptLibraries.push(loaded)
      return loaded
    } catch (cause) {
      throw new EngineUnavailableError(`pocketsphinx is not installed ${libraryInstalled}`, { cause })
    }
  }
  const sphinxbase = load('libsphinxbase.so.3')
  const pocketsphinx = load('libpocketsphinx.so.3')

  // pocketsphinx writes the recognized text to standard error, and users' words must not be logged.
  sphinxbase.func('void err_set_logfp(void *file)')(null)

  const settings = [
    ...['-hmm', join(model, 'en-us'), '-dict', join(model, 'cmudict-en-us.dict'), '-lm', join(model, 'en-us.lm.bin')],
    // A second pass at the end of an utterance takes as long as the first and gave no better results.
    ...['-fwdflat', 'no'],
  ]
  const parse = sphinxbase.func('void *cmd_ln_parse_r(void *old, void *known, int count, const char **all, int strict)')
  const config = parse(null, pocketsphinx.func('void *ps_args()')(), settings.length, settings, 1) as Pointer
  const decoder = config && (pocketsphinx.func('void *ps_init(void *config)')(config) as Pointer)
  if (decoder === null)
    throw new EngineUnavailableError(`the model in ${model} does not fit this version of pocketsphinx`)

  const startStream = pocketsphinx.func('int ps_start_stream(void *decoder)')
  const startUtterance = pocketsphinx.func('int ps_start_utt(void *decoder)')
  const processRaw = pocketsphinx.func(
    'int ps_process_raw(void *decoder, const int16_t *samples, size_t count, int noSearch, int wholeUtterance)',
  )
  const endUtterance = pocketsphinx.func('int ps_end_utt(void *decoder)')
  const getHypothesis = pocketsphinx.func('const char *ps_get_hyp(void *decoder, int32_t *score)')

  /**
   * The features of a voice and its microphone are the mean of the cepstrum; the mean of another voice makes recognition
   * worse. The library has no function to get or set it, so it is read and written in memory.
   */
  const mean = (() => {
    const features = koffi.struct({
      references: 'int',
      name: 'void *',
      cepstrumSize: 'int32_t',
      streams: 'int32_t',
      streamLengths: 'void *',
      windowSize: 'int32_t',
      subvectors: 'int32_t',
      subvectorLengths: 'void *',
      subvectorList: 'void *',
      subvectorBuffer: 'void *',
      subvectorSize: 'int32_t',
      meanKind: 'int',
      varianceNormalized: 'int32_t',
      gainKind: 'int',
      compute: 'void *',
      mean: 'void *',
    })
    const kept = pocketsphinx.func('void *ps_get_feat(void *decoder)')(decoder)
    const { mean: at, cepstrumSize } = koffi.decode(kept, features) as { mean: Pointer; cepstrumSize: number }
    const get = sphinxbase.func('void cmn_live_get(void *mean, _Out_ float *values)')
    const set = sphinxbase.func('void cmn_live_set(void *mean, const float *values)')
    const now = (): number[] => {
      const values = new Float32Array(cepstrumSize)
      get(at, values)
      return [...values]
    }
    const first = now()
    return {
      now,
      /** A mean of another length belongs to another model. */
      begin: (values: Acoustics | null) => set(at, Float32Array.from(values?.length === cepstrumSize ? values : first)),
    }
  })()

  return {
    /** Begins an utterance. Only `acoustics` connects it with those before; null for a new voice. */
    startUtterance: (acoustics: Acoustics | null): void => {
      mean.begin(acoustics)
      startStream(decoder)
      startUtterance(decoder)
    },
    /** Mono PCM at 16 kHz. */
    process: (samples: Int16Array): void => processRaw(decoder, samples, samples.length, 0, 0),
    endUtterance: (): void => endUtterance(decoder),
    /** Returns the text recognized of the current utterance, or of the last one. */
    hypothesis: (): string => (getHypothesis(decoder, null) as string | null) ?? '',
    /** Returns the features of the voice and its microphone, which each utterance updates. */
    acoustics: mean.now,
  }
}
