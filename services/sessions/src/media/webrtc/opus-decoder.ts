/**
 * Decodes one Opus stream to mono PCM at `receivedRateHz`, with what the class of the library leaves out: concealment of lost
 * packets, and their recovery from the copy that the next packet may contain (in-band error correction). So its WebAssembly is called
 * directly. All decoders share its memory.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { openWebAssembly, type WebAssemblyMemory } from '@parlance/audio/encoding'
import { receivedRateHz } from '../transport.js'

interface OpusLibrary {
  readonly memory: WebAssemblyMemory
  _initialize(): void
  malloc(bytes: number): number
  free(address: number): void
  opus_decoder_get_size(channels: number): number
  opus_decoder_init(state: number, rateHz: number, channels: number): number
  /** `packet` is 0 for a lost one. Returns the number of samples, or an error below 0. */
  opus_decode(
    state: number,
    packet: number,
    bytes: number,
    pcm: number,
    maxSamples: number,
    fromNextPacket: 0 | 1,
  ): number
}

/** Longer packets are not Opus: RFC 6716 allows six frames of 1,275 bytes each in 120 ms. */
const maxPacketBytes = 8192
const maxSamples = 0.12 * receivedRateHz
/** Lost audio is decoded in multiples of 2.5 ms. */
const stepSamples = receivedRateHz / 400

const openLibrary = (): OpusLibrary => {
  const path = createRequire(import.meta.url).resolve('@evan/opus/wasm/simd.wasm')
  const noop = () => 0
  const library = openWebAssembly<OpusLibrary>(readFileSync(path), {
    wasi_snapshot_preview1: { fd_seek: noop, fd_write: noop, fd_close: noop, proc_exit: noop },
    env: { emscripten_notify_memory_growth: noop },
  })
  library._initialize()
  return library
}

let shared: { readonly opus: OpusLibrary; readonly packetAt: number; readonly pcmAt: number } | undefined

const openShared = () => {
  const opus = openLibrary()
  return { opus, packetAt: opus.malloc(maxPacketBytes), pcmAt: opus.malloc(maxSamples * 2) }
}

export const createOpusDecoder = () => {
  shared ??= openShared()
  const { opus, packetAt, pcmAt } = shared
  const state = opus.malloc(opus.opus_decoder_get_size(1))
  opus.opus_decoder_init(state, receivedRateHz, 1)

  const write = (packet: Uint8Array): void => new Uint8Array(opus.memory.buffer, packetAt).set(packet)
  const pcmOf = (samples: number): Int16Array => new Int16Array(opus.memory.buffer, pcmAt, samples).slice()

  return {
    /** Undefined for an invalid packet. */
    decode(packet: Uint8Array): Int16Array | undefined {
      if (packet.length > maxPacketBytes) return undefined
      write(packet)
      const samples = opus.opus_decode(state, packetAt, packet.length, pcmAt, maxSamples, 0)
      return samples < 0 ? undefined : pcmOf(samples)
    },
    /**
     * Returns this number of samples in place of lost audio: from the packet that follows it, if that is given and has them, else
     * estimated from the audio before.
     */
    replaceLost(samples: number, next?: Uint8Array): Int16Array {
      const rounded = Math.min(maxSamples, Math.ceil(samples / stepSamples) * stepSamples)
      const isUsed = next !== undefined && next.length <= maxPacketBytes
      if (isUsed) write(next)
      const bytes = isUsed ? next.length : 0
      const count = opus.opus_decode(state, isUsed ? packetAt : 0, bytes, pcmAt, rounded, isUsed ? 1 : 0)
      return count < samples ? new Int16Array(samples) : pcmOf(samples)
    },
    close: () => opus.free(state),
  }
}
