import { readFile } from 'node:fs/promises'
import { matchesLanguage } from '@parlance/contracts'
import { z } from 'zod'

const sizeBytes = z.int().positive()
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const md5 = z.string().regex(/^[0-9a-f]{32}$/)
const address = z.url({ protocol: /^https?$/ })
const nameInFolder = z.string().regex(/^[^/\\]+$/)

/** The same file at another address, which is used when the first does not have it. */
const alternative = z.strictObject({
  url: address,
  /** Size and digest are those of the content of `url`. */
  size_bytes: sizeBytes,
  sha256,
  /** The file's path in the archive at `url`. Without it, `url` is that of the file itself. */
  member: z.string().min(1).optional(),
})
export type CatalogAlternative = z.output<typeof alternative>

const catalogFile = z.strictObject({
  url: address,
  /** Null where the collection does not publish it. */
  size_bytes: sizeBytes.nullable(),
  /** Where the collection does not publish the size, and may replace the file: for people, and not checked. */
  approximate_bytes: sizeBytes.optional(),
  md5: md5.nullable(),
  /** Null when it could not be computed when the catalog was created. It is then pinned at the first installation. */
  sha256: sha256.nullable(),
  /** The file's name in the model's folder. Without it the file is an archive of the model's whole folder. */
  path: nameInFolder.optional(),
  /** Whether the model works without it. */
  optional: z.literal(true).optional(),
  also: z.array(alternative).optional(),
})
/** A file to be downloaded. */
export type CatalogFile = z.output<typeof catalogFile>

const catalogLicense = z.strictObject({
  /** Null when only the model card states it, which is then the first file to be downloaded. */
  name: z.string().nullable(),
  /** Whether commercial use is allowed with no condition beyond attribution. Null when `name` is null. */
  permissive: z.boolean().nullable(),
  /** Where the license is stated. */
  source: address,
  /** The recordings or models that it was trained on, as far as they are published. */
  lineage: z.string().nullable(),
})

/** Kinds of models in the catalog. */
export const catalogKinds = ['tts', 'stt', 'turn'] as const
/** What a model does: it speaks, recognizes speech, or recognizes the end of a turn. */
export type CatalogKind = (typeof catalogKinds)[number]

const gender = z.enum(['female', 'male'])

const catalogModel = z.strictObject({
  /** The name by which it is installed, and the name of its folder. */
  name: z.string().regex(/^[\p{L}0-9][\p{L}0-9._-]*$/u),
  kind: z.enum(catalogKinds),
  /**
   * `piper`: an original Piper model, which is converted. `sherpa-onnx`: in the form that sherpa-onnx reads. `onnx`: one
   * ONNX file.
   */
  format: z.enum(['piper', 'sherpa-onnx', 'onnx']),
  display_name: z.string(),
  /** The public collection that it is from. */
  collection: z.string(),
  /** BCP 47 tags, the main one first. Empty where the language does not matter. */
  languages: z.array(z.string()),
  speakers: z.int().positive().nullable(),
  /** The gender of all speakers, or that of each by its name in the model, when known. */
  gender: z.union([gender, z.record(z.string(), gender)]).optional(),
  /** In Hz. */
  sample_rate: z.int().positive().nullable(),
  /** An estimate of the memory of a process with the model. */
  memory_bytes: sizeBytes.nullable(),
  /**
   * How well it recognizes speech, from 0 to 100, compared with other models of its languages. By this a recognizer is
   * chosen. Without it the quality is that of the model's kind.
   */
  quality: z.number().min(0).max(100).optional(),
  /** A recognizer to offer for its languages: accurate, and faster than speech on two cores. */
  recommended: z.literal(true).optional(),
  license: catalogLicense,
  files: z.array(catalogFile).min(1),
})
export type CatalogModel = z.output<typeof catalogModel>

const catalogSchema = z.strictObject({
  version: z.literal(1),
  /** The data of eSpeak NG, for original Piper models on machines without it. */
  espeak_data: z.strictObject({
    url: address,
    size_bytes: sizeBytes,
    sha256,
    /** The folder in the archive. */
    member: z.string(),
    license: z.string(),
    /** Where the license is stated. */
    source: address,
  }),
  models: z.array(catalogModel),
})
export type Catalog = z.output<typeof catalogSchema>

/** The size of all files, approximate where a collection does not publish it; null where it is not known. */
export const sizeOfModel = ({ files }: CatalogModel): number | null =>
  files.reduce<number | null>((sum, { size_bytes, approximate_bytes }) => {
    const size = size_bytes ?? approximate_bytes
    return sum === null || size === undefined ? null : sum + size
  }, 0)

/** Reads a catalog; by default the one that comes with Parlance. Rejects when the file is missing or is not a catalog. */
export const readCatalog = async (
  file: URL | string = new URL('../catalog/models.json', import.meta.url),
): Promise<Catalog> => catalogSchema.parse(JSON.parse(await readFile(file, 'utf8')))

interface CatalogQuery {
  /** A BCP 47 tag: `en` finds `en-US` and `en-GB` too. */
  readonly language?: string | undefined
  readonly kind?: CatalogKind | undefined
  /** Only models whose license is known to be permissive. */
  readonly permissiveOnly?: boolean | undefined
}

/** The models of a catalog that match a query, in their order. A model without languages matches every language. */
export const searchCatalog = (
  models: readonly CatalogModel[],
  { language, kind, permissiveOnly = false }: CatalogQuery,
): CatalogModel[] => {
  const wanted = language?.replaceAll('_', '-')
  return models.filter(
    (model) =>
      (kind === undefined || model.kind === kind) &&
      (!permissiveOnly || model.license.permissive === true) &&
      (wanted === undefined ||
        model.languages.length === 0 ||
        model.languages.some((tag) => matchesLanguage(tag, wanted))),
  )
}
