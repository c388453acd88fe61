import { z } from 'zod'
import { ModelFileError, readModelText } from '../model-file.js'

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

const parseJson = (path: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new ModelFileError(path, 'is not JSON')
  }
}

/** Reads the settings beside the model `name`. Throws `ModelFileError`, which names the wrong key. */
export const readPiperConfig = async (path: string, name: string): Promise<PiperConfig> => {
  const parsed = piperConfig.safeParse(parseJson(path, await readModelText(path)))
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
