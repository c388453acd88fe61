/** Checks of a model that do not load it. All throw or reject with `ModelFileError`. */
import { readLexicon } from './lexicon.js'
import { checkModelFile, ModelFileError } from './model-file.js'
import type { OnnxMetadata } from './onnx/onnx-metadata.js'
import type { ModelKind } from './speech-model.js'

const sampleRateHz = { min: 8000, max: 48_000 }

/** Checks the metadata for which the native library would end the process. */
export const checkMetadata = (model: string, kind: ModelKind, metadata: OnnxMetadata): void => {
  const needed = [
    'sample_rate',
    'n_speakers',
    ...(kind === 'vits' ? ['language', 'comment'] : []),
    ...(kind === 'kokoro' ? ['style_dim', 'has_espeak'] : []),
  ]
  const missing = needed.filter((key) => metadata[key] === undefined)
  if (missing.length > 0) {
    throw new ModelFileError(model, `was not made for sherpa-onnx: its metadata lacks ${missing.join(', ')}`)
  }
  const rateHz = Number(metadata.sample_rate)
  if (!Number.isInteger(rateHz) || rateHz < sampleRateHz.min || rateHz > sampleRateHz.max) {
    throw new ModelFileError(model, `has a sample rate of ${metadata.sample_rate} Hz: 8,000 to 48,000 can be used`)
  }
  if (!/^\d{1,4}$/.test(metadata.n_speakers!))
    throw new ModelFileError(model, `cannot have ${metadata.n_speakers} speakers`)
}

/** Checks the size of the styles: some numbers for each length of text and each speaker. */
export const checkKokoroVoices = async (path: string, { style_dim, n_speakers }: OnnxMetadata): Promise<void> => {
  const sizeBytes = await checkModelFile(path)
  const expected = style_dim!.split(',').reduce((product, part) => product * Number(part), 4 * Number(n_speakers))
  if (sizeBytes !== expected) {
    throw new ModelFileError(
      path,
      `is cut off or of another model: it has ${sizeBytes} bytes and should have ${expected}`,
    )
  }
}

/** Checks that the lexicons are of this model. One of another model has phonemes that this one lacks, so few words are spoken. */
export const checkLexicons = async (paths: readonly string[], tokens: ReadonlyMap<string, number>): Promise<void> => {
  for (const path of paths) {
    const words = [...(await readLexicon([path])).values()]
    if (words.length === 0) throw new ModelFileError(path, 'has no word')
    const spoken = words.filter((phonemes) => phonemes.every((phoneme) => tokens.has(phoneme))).length
    if (spoken * 2 < words.length)
      throw new ModelFileError(path, 'is of another model: its phonemes are not in tokens.txt')
  }
}
