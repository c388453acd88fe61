import { pcmAsBytes } from '../index.js'
import type { AudioEncoder } from './audio-encoder.js'

export const createPcmEncoder = (): AudioEncoder => ({
  encode: pcmAsBytes,
  finish: () => new Uint8Array(0),
})
