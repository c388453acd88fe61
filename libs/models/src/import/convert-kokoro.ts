import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFailure } from '../folder/install-error.js'
import { settingsFileName } from '../folder-settings.js'
import type { KokoroSource } from './find-kokoro.js'
import type { KokoroContent } from './kokoro-content.js'
import { appendOnnxMetadata } from './onnx-metadata-writer.js'

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })

/** All Kokoro models speak at this rate. */
const sampleRateHz = 24_000

/**
 * The metadata of a Kokoro model that sherpa-onnx reads. Version 1 reads every text with one voice of eSpeak NG; later ones
 * need lexicons, which the original does not have.
 */
const metadataOf = ({ speakers, styleShape, language }: KokoroContent) => ({
  model_type: 'kokoro',
  version: '1',
  language: languageNames.of(language.split('-')[0]!) ?? language,
  voice: language.toLowerCase(),
  has_espeak: '1',
  sample_rate: String(sampleRateHz),
  n_speakers: String(speakers.length),
  speaker_names: speakers.join(','),
  style_dim: styleShape.join(','),
})

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) => new Uint8Array(buffer, byteOffset, byteLength)

/**
 * Writes an original Kokoro model into `folder` in the form that sherpa-onnx reads: metadata in the model, `tokens.txt`,
 * `voices.bin` and `parlance.json`. The data of eSpeak NG is added by `addEspeakData`. The source is not changed.
 */
export const convertKokoro = async (source: KokoroSource, content: KokoroContent, folder: string): Promise<void> => {
  const { model: _, ...settings } = content.settings
  const model = join(folder, 'model.onnx')
  const tokens = [...content.phonemeIds].map(([symbol, id]) => `${symbol} ${id}\n`)
  try {
    await copyFile(source.model, model)
    await appendOnnxMetadata(model, metadataOf(content))
    await writeFile(join(folder, 'tokens.txt'), tokens.join(''))
    await writeFile(join(folder, 'voices.bin'), Buffer.concat(content.styles.map(bytesOf)))
    await writeFile(join(folder, settingsFileName), `${JSON.stringify(settings, null, 2)}\n`)
  } catch (error) {
    throw writeFailure(error, folder)
  }
}
