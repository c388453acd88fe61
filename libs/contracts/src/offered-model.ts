import { z } from 'zod'
import type { InstallEvent } from './models.js'

const offeredLicenseSchema = z.object({
  /** What has the license: the model, or data that it needs. */
  of: z.string(),
  /** Null where only the page at `source` states it. */
  license: z.string().nullable(),
  /** The address of a page that states it. */
  source: z.string(),
  /** What it was made from, where that is known. */
  lineage: z.string().nullable(),
})

/** A model that is not installed and that a page offers: a neural voice or a recognizer. */
export const offeredModelSchema = z.object({
  /** The name by which it is installed. */
  name: z.string(),
  display_name: z.string(),
  /** The BCP 47 tag for which it is offered. */
  language: z.string(),
  /** Of all that is downloaded; null where it is not published. */
  size_bytes: z.int().positive().nullable(),
  /** What is accepted when it is installed. That of the model comes first. */
  licenses: z.array(offeredLicenseSchema).min(1),
})
export type OfferedModel = z.infer<typeof offeredModelSchema>

/** Offers and installs models in the process of the gateway. Only `npm start` does. */
export interface ModelOffers {
  /** The workspace whose keys may install; undefined while there is none. */
  findWorkspaceId(): Promise<string | undefined>
  /** The voice to offer to a reader of these BCP 47 tags, the preferred first; undefined where no voice speaks any of them. */
  findVoice(languages: readonly string[]): Promise<OfferedModel | undefined>
  /** The recognizer to offer for a BCP 47 tag; undefined where none knows the language. */
  findRecognizer(language: string): Promise<OfferedModel | undefined>
  /**
   * Resolves when the model is installed; services use it some seconds later. Rejects with `ServiceError`. An abort of the
   * signal stops the installation, which the next one continues.
   */
  install(name: string, onEvent: (event: InstallEvent) => void, signal: AbortSignal): Promise<void>
}
