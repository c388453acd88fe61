import type { Object3D } from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { AvatarError } from '../avatar-load.js'

/** Parses a GLB file, which must contain everything that it needs. Resolves with its scene. */
export const parseModel = async (bytes: Uint8Array<ArrayBuffer>): Promise<Object3D> => {
  try {
    const whole = bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer
    return (await new GLTFLoader().parseAsync(whole, '')).scene
  } catch (cause) {
    throw new AvatarError(
      'invalid_model',
      `The avatar is not a GLB file that can be shown: ${(cause as Error).message}`,
      {
        cause,
      },
    )
  }
}
