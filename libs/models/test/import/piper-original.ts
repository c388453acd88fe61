import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeToneModel } from '@parlance/testing'

/** What sherpa-onnx needs and original models lack. */
const withoutMetadata = Object.fromEntries(
  [
    'model_type',
    'comment',
    'language',
    'voice',
    'has_espeak',
    'n_speakers',
    'sample_rate',
    'add_blank',
    'punctuation',
  ].map((key) => [key, undefined]),
)

export const modelCard = (voice: string, license = 'CC0') =>
  `# Model card for ${voice} (medium)\n\n* Language: en_US (English, United States)\n\n## Dataset\n\n* URL: https://example.com/recordings\n* License: ${license}\n\n## Training\n\nFinetuned from U.S. English lessac voice (medium quality).\n`

export interface PiperOriginalOptions {
  readonly config?: Readonly<Record<string, unknown>>
  /** Default: one that names CC0; null for none. */
  readonly card?: string | null
}

/** Writes `NAME.onnx`, `NAME.onnx.json` and `MODEL_CARD`, as Piper's collection has them, of a model that makes tones. */
export const writePiperOriginal = async (
  folder: string,
  name: string,
  { config = {}, card = modelCard(name.split('-')[1]!) }: PiperOriginalOptions = {},
): Promise<void> => {
  const made = await mkdtemp(join(tmpdir(), 'parlance-tones-'))
  await writeToneModel(made, { shape: 'piper', metadata: withoutMetadata })
  const tokens = (await readFile(join(made, 'tokens.txt'), 'utf8')).split('\n').filter((line) => line !== '')
  const phonemeIds = tokens.map((line) => [line.slice(0, line.lastIndexOf(' ')), [Number(line.split(' ').at(-1))]])
  await mkdir(folder, { recursive: true })
  await rename(join(made, 'model.onnx'), join(folder, `${name}.onnx`))
  const settings = {
    audio: { sample_rate: 16_000, quality: 'medium' },
    espeak: { voice: 'en-us' },
    phoneme_type: 'espeak',
    num_speakers: 1,
    phoneme_id_map: Object.fromEntries(phonemeIds),
    language: { code: 'en_US', name_english: 'English' },
    ...config,
  }
  await writeFile(join(folder, `${name}.onnx.json`), JSON.stringify(settings))
  if (card !== null) await writeFile(join(folder, 'MODEL_CARD'), card)
  await rm(made, { recursive: true })
}
