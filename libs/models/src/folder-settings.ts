import { join } from 'node:path'
import { z } from 'zod'
import { ModelFileError, readModelJson } from './model-file.js'

const fileName = z.string().regex(/^[^/\\]+$/, { error: 'must be the name of a file in the folder' })
const languages = z
  .array(z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, { error: 'must be tags such as en-US' }))
  .min(1)
const text = z.string().min(1).max(200)

const speakerSettings = z.strictObject({
  id: z.int().nonnegative(),
  display_name: text.optional(),
  description: z.string().max(500).optional(),
  languages: languages.optional(),
  gender: z.enum(['female', 'male', 'neutral']).optional(),
  tags: z.array(text).max(20).optional(),
})
export type SpeakerSettings = z.output<typeof speakerSettings>

const folderSettings = z.strictObject({
  display_name: text.optional(),
  languages: languages.optional(),
  license: text.optional(),
  /** Set for a model that detects the end of a turn. */
  kind: z.literal('turn').optional(),
  /** How well the model recognizes compared with others of its languages. Default: by its kind. */
  quality: z.number().min(0).max(100).optional(),
  credit_per_1k_characters: z
    .string()
    .regex(/^\d+(\.\d+)?$/, { error: 'must be a decimal such as "0.05"' })
    .optional(),
  /** The file of the model, when there are several. */
  model: fileName.optional(),
  /** The speakers to offer. Default: all. */
  speakers: z.array(speakerSettings).min(1).optional(),
})
/** The operator's settings of a folder, in its `parlance.json`, which override everything found in the files. */
export type FolderSettings = z.output<typeof folderSettings>

export const settingsFileName = 'parlance.json'

/** Reads `parlance.json`. Rejects with a `ModelFileError` that names the invalid key. */
export const readFolderSettings = async (folder: string): Promise<FolderSettings> => {
  const path = join(folder, settingsFileName)
  const parsed = folderSettings.safeParse(await readModelJson(path))
  if (parsed.success) return parsed.data
  const { path: key, message } = parsed.error.issues[0]!
  throw new ModelFileError(path, `is invalid${key.length === 0 ? '' : ` at ${key.join('.')}`}: ${message}`)
}

/** The settings of a Piper model that are used. */
const piperSettings = z.object({
  language: z.object({ code: z.string() }).optional(),
  dataset: z.string().optional(),
  speaker_id_map: z.record(z.string(), z.int()).default({}),
})
export type PiperSettings = z.output<typeof piperSettings>

/** The license of a model whose files and settings do not state it. */
export const unknownLicense = 'Not stated by the model.'

/** Reads the settings of a Piper model. Rejects with a `ModelFileError`. */
export const readPiperSettings = async (path: string): Promise<PiperSettings> => {
  const parsed = piperSettings.safeParse(await readModelJson(path))
  if (!parsed.success) throw new ModelFileError(path, 'does not contain the settings of a Piper model')
  return parsed.data
}
