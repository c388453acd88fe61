/// <reference path="./speex-resampler-wasm.d.ts" />
import loadSpeex, { type SpeexResamplerModule } from '@echogarden/speex-resampler-wasm/simd'

/**
 * Streaming sample rate conversion by SpeexDSP's resampler, compiled to WebAssembly with SIMD.
 *
 * - The filter delays its output by half its length. That many zeros are skipped at the start and fed at the end, so
 *   time 0 stays time 0, and the output is cut to the length that the input says.
 * - One module serves all resamplers: each has its filter state on the module's heap, which `finish` frees. All share
 *   two scratch buffers there, which is sound because no call ever yields in between.
 */
export interface Resampler {
  resample(pcm: Int16Array): Int16Array
  /** The last samples. Frees the resampler: whatever follows is an error. */
  finish(): Int16Array
}

/** Of 0 to 10. It is what the library means for voice; 5 costs half as much again, for the very top of the band. */
const quality = 3

const blockSamples = 1024

interface Speex {
  module: SpeexResamplerModule
  /** Two 32-bit lengths, in and out, of the call under way. */
  lengths: number
  input: number
  output: number
  outputCapacity: number
  /** Frees the filter of a resampler that was dropped without `finish`. */
  abandoned: FinalizationRegistry<number>
}

let speex: Promise<Speex> | undefined

const openSpeex = async (): Promise<Speex> => {
  const module = await loadSpeex()
  // The greatest ratio is 8000 to 48000 Hz; a little more, since a block may complete what an earlier one began.
  const outputCapacity = blockSamples * 8
  return {
    module,
    lengths: module._malloc(8),
    input: module._malloc(blockSamples * 2),
    output: module._malloc(outputCapacity * 2),
    outputCapacity,
    abandoned: new FinalizationRegistry((state) => module._speex_resampler_destroy(state)),
  }
}

const loadedSpeex = (): Promise<Speex> => {
  speex ??= openSpeex()
  return speex
}

export const warmResampler = async (): Promise<void> => {
  const resampler = await createResampler({ fromHz: 22050, toHz: 24000 })
  resampler.finish()
}

/** A resampler of mono PCM. Rates are in Hz, at most eight times apart upwards. */
export const createResampler = async (rates: { fromHz: number; toHz: number }): Promise<Resampler> => {
  const { fromHz, toHz } = rates
  const { module, lengths, input, output, outputCapacity, abandoned } = await loadedSpeex()

  const state = module._speex_resampler_init(1, fromHz, toHz, quality, lengths)
  if (state === 0) throw new Error(`Cannot resample from ${fromHz} to ${toHz} Hz`)
  module._speex_resampler_skip_zeros(state)
  const delaySamples = module._speex_resampler_get_input_latency(state)

  let samplesIn = 0
  let samplesOut = 0
  let freed = false

  const processBlock = (block: Int16Array): Int16Array => {
    module.HEAP16.set(block, input >> 1)
    module.HEAP32[lengths >> 2] = block.length
    module.HEAP32[(lengths >> 2) + 1] = outputCapacity
    const code = module._speex_resampler_process_int(state, 0, input, lengths, output, lengths + 4)
    if (code !== 0 || module.HEAP32[lengths >> 2] !== block.length) throw new Error(`Resampling failed (${code})`)
    const start = output >> 1
    return module.HEAP16.slice(start, start + module.HEAP32[(lengths >> 2) + 1]!)
  }

  const process = (pcm: Int16Array): Int16Array => {
    if (freed) throw new Error('This resampler is finished')
    const blocks: Int16Array[] = []
    for (let at = 0; at < pcm.length; at += blockSamples) {
      blocks.push(processBlock(pcm.subarray(at, at + blockSamples)))
    }
    return blocks.length === 1 ? blocks[0]! : concatSamples(blocks)
  }

  const resampler: Resampler = {
    resample: (pcm) => {
      const resampled = process(pcm)
      samplesIn += pcm.length
      samplesOut += resampled.length
      return resampled
    },
    finish: () => {
      const missing = Math.round((samplesIn * toHz) / fromHz) - samplesOut
      // One more than the delay: where the last output sample falls between two of the input, it needs the later one.
      const tail = process(new Int16Array(delaySamples + 1)).subarray(0, Math.max(0, missing))
      freed = true
      abandoned.unregister(resampler)
      module._speex_resampler_destroy(state)
      return tail
    },
  }
  abandoned.register(resampler, state, resampler)
  return resampler
}

const concatSamples = (blocks: readonly Int16Array[]): Int16Array => {
  const whole = new Int16Array(blocks.reduce((length, block) => length + block.length, 0))
  let at = 0
  for (const block of blocks) {
    whole.set(block, at)
    at += block.length
  }
  return whole
}
