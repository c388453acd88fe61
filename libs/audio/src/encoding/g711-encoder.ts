import { pcmToAlaw, pcmToUlaw } from '../index.js'
import type { AudioEncoder } from './audio-encoder.js'

export const createUlawEncoder = (): AudioEncoder => ({ encode: pcmToUlaw, finish: () => new Uint8Array(0) })

export const createAlawEncoder = (): AudioEncoder => ({ encode: pcmToAlaw, finish: () => new Uint8Array(0) })
