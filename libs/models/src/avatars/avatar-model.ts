import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A file that belongs to a head; it never changes, since it is known by what is in it. */
export interface AvatarFile {
  /** In `assets/`. */
  readonly file: string
  /** Of its bytes, in hex. */
  readonly sha256: string
  readonly size_bytes: number
}

/** A head that the platform brings along. */
export interface AvatarModel {
  readonly id: string
  readonly display_name: string
  readonly license: string
  readonly model: AvatarFile
  readonly thumbnail: AvatarFile
  /** Every morph target that there is, the visemes among them. */
  readonly morph_targets: readonly string[]
}

const assets = new URL('../../assets/', import.meta.url)

/** All heads that the manifest lists; it is read on each call. */
export const readAvatarModels = (): AvatarModel[] =>
  JSON.parse(readFileSync(new URL('manifest.json', assets), 'utf8')).avatars

/** Where that file of a head is on this machine. */
export const avatarFilePath = ({ file }: AvatarFile): string => fileURLToPath(new URL(file, assets))
