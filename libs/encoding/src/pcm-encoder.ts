import { pcmToBytes } from '@parlance/audio'
import type { AudioEncoder } from './audio-encoder.js'

export const createPcmEncoder = (): AudioEncoder => ({
  encode: pcmToBytes,
  finish: () => new Uint8Array(0),
})
