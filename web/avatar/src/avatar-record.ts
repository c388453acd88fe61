/** An avatar as the platform tells of it: in the catalog, and in the answer to a session that starts. */
export interface AvatarRecord {
  readonly display_name: string
  readonly asset: {
    /** Absolute, or a path on the API's origin. */
    readonly url: string
    readonly size_bytes: number
    /** In hex, of the whole file. */
    readonly sha256: string
  }
  /** The model's morph target for each viseme, such as `viseme_PP` for `PP`. */
  readonly viseme_morph_targets: Readonly<Record<string, string>>
  /** Likewise for `blink_left`, `blink_right`, `smile` and `brows_up`, of which a model may lack any. */
  readonly expression_morph_targets: Readonly<Record<string, string>>
}
