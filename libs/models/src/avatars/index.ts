import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A file of a head. It never changes, since it is identified by its content. */
export interface AvatarFile {
  /** Its path in `assets/`. */
  readonly file: string
  /** The SHA-256 of its bytes, in hex. */
  readonly sha256: string
  readonly size_bytes: number
}

/** A head that is included in Parlance. */
export interface AvatarModel {
  readonly id: string
  readonly display_name: string
  readonly license: string
  readonly model: AvatarFile
  readonly thumbnail: AvatarFile
  /** All morph targets, including the visemes. */
  readonly morph_targets: readonly string[]
}

const assets = new URL('../../assets/', import.meta.url)

/** All heads in the manifest, which is read on each call. */
export const readAvatarModels = (): AvatarModel[] =>
  JSON.parse(readFileSync(new URL('manifest.json', assets), 'utf8')).avatars

/** The path of a head's file on this machine. */
export const avatarFilePath = ({ file }: AvatarFile): string => fileURLToPath(new URL(file, assets))
