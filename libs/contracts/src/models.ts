import { z } from 'zod'

/** What happens during the installation of a model, in this order: its licenses, its downloads, its measurement, its end. */
export const installEventSchema = z.discriminatedUnion('event', [
  /** A license that the request has accepted. */
  z.object({
    event: z.literal('license'),
    model: z.string(),
    license: z.string(),
    /** Where it is stated. */
    source: z.string(),
    /** What the model was made from, where that is known. */
    lineage: z.string().nullable(),
  }),
  z.object({
    event: z.literal('progress'),
    file: z.string(),
    received_bytes: z.int().nonnegative(),
    /** Null where the server does not send it. */
    total_bytes: z.int().nonnegative().nullable(),
  }),
  /** It is measured how fast the model speaks on this machine. */
  z.object({ event: z.literal('measuring'), model: z.string() }),
  z.object({
    event: z.literal('installed'),
    name: z.string(),
    license: z.string(),
    /** Of all that was downloaded. */
    size_bytes: z.int().nonnegative(),
  }),
])
export type InstallEvent = z.infer<typeof installEventSchema>

/** What a model does: it speaks, recognizes speech, or recognizes the end of a turn. */
const modelKindSchema = z.enum(['tts', 'stt', 'turn'])

/** A folder of the installed models. What is null could not be read. */
export const installedModelSchema = z.object({
  name: z.string(),
  kind: modelKindSchema.nullable(),
  display_name: z.string().nullable(),
  /** BCP 47 tags. */
  languages: z.array(z.string()),
  license: z.string().nullable(),
  size_bytes: z.int().nonnegative().nullable(),
  /** Why the folder cannot be used, or why its model could not be opened. */
  problems: z.array(z.string()),
})
export type InstalledModel = z.infer<typeof installedModelSchema>

/** A model that can be installed. */
export const installableModelSchema = z.object({
  name: z.string(),
  kind: modelKindSchema,
  display_name: z.string(),
  /** BCP 47 tags; empty where the language does not matter. */
  languages: z.array(z.string()),
  /** Of all that is downloaded; null where it is not published. */
  size_bytes: z.int().positive().nullable(),
  /** Null where only the page at `license_source` states it. */
  license: z.string().nullable(),
  license_source: z.string(),
  /** What the model was made from, where that is known. */
  license_lineage: z.string().nullable(),
})
export type InstallableModel = z.infer<typeof installableModelSchema>

/** Names of the catalog; null where none suits. */
export const recommendedModelsSchema = z.object({ tts: z.string().nullable(), stt: z.string().nullable() })
type RecommendedModels = z.infer<typeof recommendedModelsSchema>

/** Manages the models of the installation in the process of the gateway. Only `npm start` has one. */
export interface ModelAdministration {
  listInstalled(): Promise<readonly InstalledModel[]>
  listInstallable(): Promise<readonly InstallableModel[]>
  /** The models that fit this machine and the reader of these BCP 47 tags, the preferred first. */
  recommend(languages: readonly string[]): Promise<RecommendedModels>
  /**
   * Resolves when the model is installed; engines announce it some seconds later. Rejects with `ServiceError`. An abort of the
   * signal stops the installation, which the next one continues.
   */
  install(name: string, onEvent: (event: InstallEvent) => void, signal: AbortSignal): Promise<void>
  /** Rejects with `not_found`. */
  remove(name: string): Promise<void>
}
