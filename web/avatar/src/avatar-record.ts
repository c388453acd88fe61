/** An avatar as in the catalog and in the response to a started session. */
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
  /** The same for `blink_left`, `blink_right`, `smile` and `brows_up`; a model may lack any of them. */
  readonly expression_morph_targets: Readonly<Record<string, string>>
}
