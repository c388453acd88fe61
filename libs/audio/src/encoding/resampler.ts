/**
 * Streaming sample rate conversion by a polyphase filter whose inner loop is WebAssembly with SIMD: nearly all speech goes
 * through it.
 *
 * - Output sample n lies at n / toHz, the input's first sample at 0: time 0 stays time 0. What the filter wants to see
 *   before the start and after the end is zeros, and the output is as long as the input says.
 * - One instance serves all resamplers: each keeps the end of its input, and hands the kernel a block of it and takes the
 *   block of output away in one go, so that none ever finds another's samples there.
 */
import { concatPcm } from '../index.js'
import { polyphaseKernelBase64 } from './polyphase-kernel.js'
import { designResamplingFilter, type ResamplingFilter } from './resampling-filter.js'
import { growMemory, openWebAssembly, type WebAssemblyMemory } from './web-assembly.js'

/** Converts mono s16 PCM from one sample rate to another, part by part. Parts may have any length. */
export interface Resampler {
  resample(pcm: Int16Array): Int16Array
  /** The last samples; whatever follows is an error. */
  finish(): Int16Array
}

/**
 * Samples of the input that are filtered at a time, beside those from before that are still needed: as many as an engine
 * hands over at once, so that the parts need not be put together again.
 */
const blockSamples = 64 * 1024
/** The rates of speech lie at most six times apart. */
const mostTimesApart = 8

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

/** A filter whose table lies on the kernel's heap. */
interface PlacedFilter extends ResamplingFilter {
  readonly tableAt: number
}

/** Without writing zeros first, as `slice` does. */
const copyOf = (samples: Int16Array): Int16Array<ArrayBuffer> => {
  const copy = new Int16Array(Buffer.allocUnsafeSlow(samples.byteLength).buffer)
  copy.set(samples)
  return copy
}

const openKernel = () => {
  const { memory, filter } = openWebAssembly<Kernel>(polyphaseKernelBase64)
  const placed = new Map<string, PlacedFilter>()
  let usedBytes = 0
  /** All of the heap, seen as samples; another after it has grown. */
  let heap = new Int16Array(memory.buffer)

  const allocate = (bytes: number): number => {
    const at = usedBytes
    usedBytes += 16 * Math.ceil(bytes / 16)
    growMemory(memory, usedBytes)
    if (heap.buffer !== memory.buffer) heap = new Int16Array(memory.buffer)
    return at
  }
  const inputAt = allocate((blockSamples + 64 * mostTimesApart + 64) * 2)
  const outputAt = allocate((blockSamples * mostTimesApart + 1) * 2)

  return {
    /** Filters are few, and each is kept. */
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
     * `count` samples, the first of which lies `phase` phases after the middle of the first window of the input, and what
     * is left of the input once so many samples of it have been passed.
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

/** A resampler of mono PCM. Rates are in Hz, at most eight times apart. Throws `RangeError` for others. */
export const createResampler = ({ fromHz, toHz }: { fromHz: number; toHz: number }): Resampler => {
  const possible =
    [fromHz, toHz].every((hz) => Number.isInteger(hz) && hz > 0) &&
    Math.max(fromHz / toHz, toHz / fromHz) <= mostTimesApart
  if (!possible) throw new RangeError(`Cannot resample from ${fromHz} to ${toHz} Hz`)
  const filter = kernel().filterFor(fromHz, toHz)
  const { taps, phases, step } = filter

  /** Input that windows to come still reach into. The first window has its middle at the first sample. */
  let kept = new Int16Array(taps / 2 - 1)
  /** Of the next output sample, from the middle of the window at the start of `kept`. */
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
    resample(pcm) {
      const resampled = process(pcm)
      samplesIn += pcm.length
      samplesOut += resampled.length
      return resampled
    },
    finish() {
      const missing = Math.max(0, Math.round((samplesIn * toHz) / fromHz) - samplesOut)
      const tail = process(new Int16Array(taps)).subarray(0, missing)
      finished = true
      return tail
    },
  }
}
