import { z } from 'zod'
import type { InstallEvent } from './models.js'

const voiceLicenseSchema = z.object({
  /** What has the licence: the voice, or data that it needs. */
  of: z.string(),
  /** Null where only the page at `source` states it. */
  license: z.string().nullable(),
  /** The address of a page that states it. */
  source: z.string(),
  /** What it was made from, where that is known. */
  lineage: z.string().nullable(),
})

/** A neural voice that is not installed. */
export const naturalVoiceSchema = z.object({
  /** By which it is installed. */
  name: z.string(),
  display_name: z.string(),
  /** A BCP 47 tag. */
  language: z.string(),
  /** Of all that is downloaded. */
  size_bytes: z.int().positive(),
  /** What is accepted when it is installed. That of the voice comes first. */
  licenses: z.array(voiceLicenseSchema).min(1),
})
export type NaturalVoice = z.infer<typeof naturalVoiceSchema>

/** Installs voices in the process of the gateway. Only `npm start` has one. */
export interface VoiceInstaller {
  /** The workspace whose keys may install; undefined while there is none. */
  findWorkspaceId(): Promise<string | undefined>
  /** The voice to offer to a reader of these BCP 47 tags, the preferred first; undefined where no voice speaks any of them. */
  findVoice(languages: readonly string[]): Promise<NaturalVoice | undefined>
  /**
   * Resolves when the voice is installed; engines announce it some seconds later. Rejects with `ServiceError`. An abort of the
   * signal stops the installation, which the next one continues.
   */
  install(name: string, onEvent: (event: InstallEvent) => void, signal: AbortSignal): Promise<void>
}
