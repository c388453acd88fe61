/**
 * Streaming sample rate conversion by a polyphase filter. Nearly all speech is resampled, so its inner loop is WebAssembly with
 * SIMD.
 *
 * - Output sample n is at the time n / toHz, and the first input sample at 0. The filter reads zeros before the start and after the
 *   end. The output is as long as the input.
 * - All resamplers share one instance of the kernel. Each keeps the end of its own input, and copies a block of input to the kernel
 *   and the output from it in one call, so that resamplers never read each other's samples.
 */
import { concatPcm } from '../index.js'
import { polyphaseKernelBase64 } from './polyphase-kernel.js'
import { designResamplingFilter, type ResamplingFilter } from './resampling-filter.js'
import { growMemory, openWebAssembly, type WebAssemblyMemory } from './web-assembly.js'

/**
 * Input samples that are filtered at a time, besides earlier ones that are still needed: as many as an engine sends at once, so
 * that parts need not be concatenated.
 */
const blockSamples = 64 * 1024
/** Rates of speech differ by at most a factor of six. */
const maxRateRatio = 8

interface Kernel {
  readonly memory: WebAssemblyMemory
  filter(
    input: number,
    output: number,
    count: number,
    table: number,
    taps: number,
    phases: number,
    step: number,
    phase: number,
  ): void
}

/** A filter whose table is in the memory of the kernel. */
interface PlacedFilter extends ResamplingFilter {
  readonly tableAt: number
}

/** Copies samples without filling the copy with zeros first, as `slice` does. */
const copyOf = (samples: Int16Array): Int16Array<ArrayBuffer> => {
  const copy = new Int16Array(Buffer.allocUnsafeSlow(samples.byteLength).buffer)
  copy.set(samples)
  return copy
}

const openKernel = () => {
  const { memory, filter } = openWebAssembly<Kernel>(Buffer.from(polyphaseKernelBase64, 'base64'))
  const placed = new Map<string, PlacedFilter>()
  let usedBytes = 0
  /** The memory as samples. Replaced when the memory grows. */
  let heap = new Int16Array(memory.buffer)

  const allocate = (bytes: number): number => {
    const at = usedBytes
    usedBytes += 16 * Math.ceil(bytes / 16)
    growMemory(memory, usedBytes)
    if (heap.buffer !== memory.buffer) heap = new Int16Array(memory.buffer)
    return at
  }
  const inputAt = allocate((blockSamples + 64 * maxRateRatio + 64) * 2)
  const outputAt = allocate((blockSamples * maxRateRatio + 1) * 2)

  return {
    /** There are few filters, so each is kept. */
    filterFor(fromHz: number, toHz: number): PlacedFilter {
      const name = `${fromHz} ${toHz}`
      let filter = placed.get(name)
      if (filter === undefined) {
        const designed = designResamplingFilter(fromHz, toHz)
        filter = { ...designed, tableAt: allocate(designed.table.byteLength) }
        heap.set(designed.table, filter.tableAt / 2)
        placed.set(name, filter)
      }
      return filter
    },
    /**
     * Computes `count` samples, the first of which is `phase` phases after the middle of the first window of the input. Also
     * returns the input without its first `passed` samples.
     */
    run(
      { taps, phases, step, tableAt }: PlacedFilter,
      [before, pcm]: readonly [Int16Array, Int16Array],
      { phase, count, passed }: { phase: number; count: number; passed: number },
    ) {
      const start = inputAt / 2
      heap.set(before, start)
      heap.set(pcm, start + before.length)
      if (count > 0) filter(inputAt, outputAt, count, tableAt, taps, phases, step, phase)
      return {
        resampled: copyOf(heap.subarray(outputAt / 2, outputAt / 2 + count)),
        left: copyOf(heap.subarray(start + passed, start + before.length + pcm.length)),
      }
    },
  }
}

let opened: ReturnType<typeof openKernel> | undefined
const kernel = () => {
  opened ??= openKernel()
  return opened
}

/**
 * Converts mono s16 PCM from one sample rate to another, part by part. Parts may have any length. Throws `RangeError` when
 * the rates differ by more than a factor of eight.
 */
export const createResampler = ({ fromHz, toHz }: { fromHz: number; toHz: number }) => {
  const possible =
    [fromHz, toHz].every((hz) => Number.isInteger(hz) && hz > 0) &&
    Math.max(fromHz / toHz, toHz / fromHz) <= maxRateRatio
  if (!possible) throw new RangeError(`Cannot resample from ${fromHz} to ${toHz} Hz`)
  const filter = kernel().filterFor(fromHz, toHz)
  const { taps, phases, step } = filter

  /** Input that later windows still need. The middle of the first window is the first sample. */
  let kept = new Int16Array(taps / 2 - 1)
  /** The phase of the next output sample, from the middle of the window at the start of `kept`. */
  let phase = 0
  let samplesIn = 0
  let samplesOut = 0
  let finished = false

  const block = (pcm: Int16Array): Int16Array => {
    const available = kept.length + pcm.length
    const windows = available - taps + 1
    const count = windows * phases > phase ? Math.ceil((windows * phases - phase) / step) : 0
    const endPhase = phase + count * step
    const passed = Math.min(Math.floor(endPhase / phases), available)
    const { resampled, left } = kernel().run(filter, [kept, pcm], { phase, count, passed })
    phase = endPhase - passed * phases
    kept = left
    return resampled
  }

  const process = (pcm: Int16Array): Int16Array => {
    if (finished) throw new Error('This resampler is finished')
    if (pcm.length <= blockSamples) return block(pcm)
    const blocks: Int16Array[] = []
    for (let at = 0; at < pcm.length; at += blockSamples) blocks.push(block(pcm.subarray(at, at + blockSamples)))
    return concatPcm(blocks)
  }

  return {
    resample(pcm: Int16Array): Int16Array {
      const resampled = process(pcm)
      samplesIn += pcm.length
      samplesOut += resampled.length
      return resampled
    },
    /** The last samples. Both methods throw afterwards. */
    finish(): Int16Array {
      const missing = Math.max(0, Math.round((samplesIn * toHz) / fromHz) - samplesOut)
      const tail = process(new Int16Array(taps)).subarray(0, missing)
      finished = true
      return tail
    },
  }
}

export type Resampler = ReturnType<typeof createResampler>
