import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { writeFailure } from '../folder/install-error.js'
import { settingsFileName } from '../folder-settings.js'
import { languageTags } from '../language-tag.js'
import { ModelFileError, readModelJson } from '../model-file.js'
import { appendOnnxMetadata, readOnnxMetadata } from '../onnx/onnx-metadata.js'
import type { PiperSource } from './find-importable.js'

/** The settings that are used from the `.onnx.json` of an original Piper model. */
const piperConfig = z.object({
  audio: z.object({ sample_rate: z.int().min(8000).max(48_000) }),
  espeak: z.object({ voice: z.string().min(1) }).optional(),
  /** Default: `espeak`. */
  phoneme_type: z.string().optional(),
  num_speakers: z.int().positive(),
  phoneme_id_map: z.record(z.string(), z.array(z.int().nonnegative()).min(1)),
  language: z.object({ code: z.string(), name_english: z.string().optional() }).optional(),
})

export interface PiperConfig {
  readonly sampleRateHz: number
  /** The voice of eSpeak NG that makes the phonemes, such as `en-us`. */
  readonly espeakVoice: string
  readonly speakerCount: number
  /** The number of each phoneme. */
  readonly phonemeIds: ReadonlyMap<string, number>
  /** Such as `en_US`. */
  readonly languageCode: string
}

/** `en_US-joe-medium` begins with the language's code. */
const codeInName = (name: string): string | undefined => /^([a-z]{2,3}_[A-Z]{2})-/.exec(name)?.[1]

/** Reads the settings beside the model `name`. Throws `ModelFileError`, which names the wrong key. */
export const readPiperConfig = async (path: string, name: string): Promise<PiperConfig> => {
  const parsed = piperConfig.safeParse(await readModelJson(path))
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path: key, message }) => `${key.join('.')}: ${message}`).join('; ')
    throw new ModelFileError(path, `does not contain the settings of a Piper model (${wrong})`)
  }
  const { audio, espeak, phoneme_type: type = 'espeak', num_speakers, phoneme_id_map, language } = parsed.data
  if (type !== 'espeak' || espeak === undefined) {
    throw new ModelFileError(path, `has phonemes of type "${type}": only those of eSpeak NG can be used`)
  }
  return {
    sampleRateHz: audio.sample_rate,
    espeakVoice: espeak.voice,
    speakerCount: num_speakers,
    phonemeIds: new Map(Object.entries(phoneme_id_map).map(([symbol, ids]) => [symbol, ids[0]!])),
    languageCode: language?.code ?? codeInName(name) ?? espeak.voice,
  }
}

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

const licenseLine = /^\s*[*-]?\s*licen[sc]e:\s*(.+?)\s*$/im
const maxLicenseLength = 200

/** The license of the recordings that a Piper model was trained on, in the words of its card; undefined where it has none. */
export const licenseOf = async (card: string | undefined): Promise<string | undefined> =>
  card === undefined ? undefined : licenseLine.exec(await readFile(card, 'utf8'))?.[1]?.slice(0, maxLicenseLength)

/**
 * Writes an original Piper model into `folder` in the form that sherpa-onnx reads: metadata in the model, `tokens.txt`
 * and `parlance.json`. The data of eSpeak NG is added by `addEspeakData`. The source is not changed.
 */
export const convertPiper = async (
  { model, config, card }: PiperSource,
  settings: PiperConfig,
  folder: string,
  license: string | undefined,
): Promise<void> => {
  const target = join(folder, basename(model))
  const parlanceSettings = { languages: languageTags(settings.languageCode), license }
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
