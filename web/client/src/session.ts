import type { InputMode } from './client-options.js'

/** The avatar of an Agent, as the catalog describes it. */
export interface Avatar {
  readonly id: string
  readonly display_name: string
  readonly status: 'available' | 'unavailable'
  readonly thumbnail_url: string
  readonly license: string
  readonly asset: {
    /** May be relative to `apiOrigin`. */
    readonly url: string
    readonly format: 'glb'
    readonly content_type: 'model/gltf-binary'
    readonly size_bytes: number
    readonly sha256: string
  }
  readonly viseme_set: 'oculus15'
  readonly viseme_morph_targets: Readonly<Record<string, string>>
  readonly expression_morph_targets: Readonly<Record<string, string>>
}

/** One conversation. */
export interface Session {
  readonly id: string
  readonly agentId: string
  /** The publication of the Agent that runs in this session. */
  readonly publication: { readonly id: string; readonly version: number }
  readonly inputMode: InputMode
  readonly textOnly: boolean
  readonly maxDurationSeconds: number
  readonly avatar: Avatar | null
}
