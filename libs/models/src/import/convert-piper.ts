import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { writeFailure } from '../folder/install-error.js'
import { settingsFileName } from '../folder-settings.js'
import { languageTags } from '../language-tag.js'
import { readOnnxMetadata } from '../onnx/onnx-metadata.js'
import type { PiperSource } from './find-importable.js'
import { parseModelCard } from './model-card.js'
import { appendOnnxMetadata } from './onnx-metadata-writer.js'
import type { PiperConfig } from './piper-config.js'

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

const languageName = (code: string): string => languageNames.of(code.replace('_', '-').split('-')[0]!) ?? code

/** The metadata of a Piper model that sherpa-onnx reads. */
const metadataOf = ({ sampleRateHz, espeakVoice, speakerCount, languageCode }: PiperConfig) => ({
  model_type: 'vits',
  comment: 'piper',
  language: languageName(languageCode),
  voice: espeakVoice,
  has_espeak: '1',
  n_speakers: String(speakerCount),
  sample_rate: String(sampleRateHz),
})

/** The content of `tokens.txt`: a line for each phoneme and its number. A line break cannot be a phoneme there. */
const tokensOf = ({ phonemeIds }: PiperConfig): string =>
  [...phonemeIds].flatMap(([symbol, id]) => (/[\r\n]/.test(symbol) ? [] : [`${symbol} ${id}\n`])).join('')

/** The license in the words of the model card. */
export const licenseOf = async (card: string | undefined): Promise<string | undefined> =>
  card === undefined ? undefined : parseModelCard(await readFile(card, 'utf8')).license

export interface ConvertOptions {
  /** The license, if known from another source. Default: that of the model card. */
  readonly license?: string | undefined
}

/**
 * Writes an original Piper model into `folder` in the form that sherpa-onnx reads: metadata in the model, `tokens.txt`
 * and `parlance.json`. The data of eSpeak NG is added by `addEspeakData`. The source is not changed.
 */
export const convertPiper = async (
  { model, config, card }: PiperSource,
  settings: PiperConfig,
  folder: string,
  { license }: ConvertOptions = {},
): Promise<void> => {
  const target = join(folder, basename(model))
  const parlanceSettings = {
    languages: languageTags(settings.languageCode),
    license: license ?? (await licenseOf(card)),
  }
  try {
    await copyFile(model, target)
    await copyFile(config, `${target}.json`)
    if (card !== undefined) await copyFile(card, join(folder, 'MODEL_CARD'))
    const known = await readOnnxMetadata(target)
    const missing = Object.entries(metadataOf(settings)).filter(([key, value]) => known[key] !== value)
    await appendOnnxMetadata(target, Object.fromEntries(missing))
    await writeFile(join(folder, 'tokens.txt'), tokensOf(settings))
    await writeFile(join(folder, settingsFileName), `${JSON.stringify(parlanceSettings, null, 2)}\n`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw writeFailure(error, folder)
  }
}
