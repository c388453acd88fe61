import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createEncoder, type WasmMediaEncoder } from 'wasm-media-encoders'
import { concatBytes } from '../index.js'
import type { AudioEncoder } from './audio-encoder.js'

/**
 * MP3 at a constant bit rate by LAME, compiled to WebAssembly. No Xing or Info frame is written, since a stream does not know its
 * length in advance.
 *
 * - LAME has one encoder per WebAssembly instance, so every encoder in use owns an instance.
 * - The module is compiled once in a process. Creating an instance takes half a millisecond, setting up LAME two more. So
 *   finished instances are kept, and set up again with their last settings when the event loop is idle.
 */

interface Mp3Settings {
  sampleRateHz: number
  /** Bits per second. */
  bitRate: number
}

type Lame = WasmMediaEncoder<'audio/mpeg'>

interface IdleLame {
  lame: Lame
  settings: Mp3Settings
  isSetUp: boolean
}

/** More than a worker uses at once. Each instance takes half a megabyte. */
const maxIdle = 8

const idle: IdleLame[] = []

/** Samples are encoded in blocks, since a long chunk would grow the memory of the instance, which never shrinks. */
const blockSamples = 1152

export const warmMp3Encoders = async (): Promise<void> => {
  const encoder = await createMp3Encoder({ sampleRateHz: 24000, bitRate: 64000 })
  encoder.encode(new Int16Array(24000))
  encoder.finish()
}

export const createMp3Encoder = async (settings: Mp3Settings): Promise<AudioEncoder> => {
  const lame = await takeLame(settings)
  const block = new Float32Array(blockSamples)

  const encodeBlock = (pcm: Int16Array): Uint8Array => {
    for (let i = 0; i < pcm.length; i++) block[i] = pcm[i]! / 32768
    // The result is a view of LAME's buffer, valid until the next call.
    return lame.encode([block.subarray(0, pcm.length)]).slice()
  }

  return {
    encode: (pcm) => {
      const parts: Uint8Array[] = []
      for (let at = 0; at < pcm.length; at += blockSamples) parts.push(encodeBlock(pcm.subarray(at, at + blockSamples)))
      return concatBytes(parts)
    },
    finish: () => {
      const rest = lame.finalize().slice()
      giveBackLame(lame, settings)
      return rest
    },
  }
}

const takeLame = async (settings: Mp3Settings): Promise<Lame> => {
  const alike = idle.findIndex((entry) => entry.isSetUp && sameSettings(entry.settings, settings))
  const [entry] = idle.splice(alike === -1 ? 0 : alike, 1)
  const lame = entry?.lame ?? (await createEncoder('audio/mpeg', await compiledLame()))
  if (alike === -1) setUp(lame, settings)
  return lame
}

const giveBackLame = (lame: Lame, settings: Mp3Settings): void => {
  if (idle.length >= maxIdle) return
  const entry: IdleLame = { lame, settings, isSetUp: false }
  idle.push(entry)
  setImmediate(() => {
    if (!idle.includes(entry)) return
    setUp(lame, settings)
    entry.isSetUp = true
  })
}

const setUp = (lame: Lame, { sampleRateHz, bitRate }: Mp3Settings): void =>
  lame.configure({
    channels: 1,
    sampleRate: sampleRateHz,
    outputSampleRate: sampleRateHz as 24000,
    bitrate: (bitRate / 1000) as 64,
  })

const sameSettings = (a: Mp3Settings, b: Mp3Settings): boolean =>
  a.sampleRateHz === b.sampleRateHz && a.bitRate === b.bitRate

type LameModule = Parameters<typeof createEncoder>[1]

let lameModule: Promise<LameModule> | undefined

const compiledLame = (): Promise<LameModule> => {
  lameModule ??= compileLame()
  return lameModule
}

const compileLame = async (): Promise<LameModule> => {
  const bytes = await readFile(createRequire(import.meta.url).resolve('wasm-media-encoders/wasm/mp3'))
  return new Promise((resolve, reject) => {
    createEncoder('audio/mpeg', bytes, resolve).catch(reject)
  })
}
