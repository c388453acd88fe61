import { alawToPcm, ulawToPcm } from '@parlance/audio'

/** A part of decoded audio: a sequence of samples for each channel, all of one length, from -1 to 1. */
export interface AudioBlock {
  readonly sampleRateHz: number
  readonly channels: readonly Float32Array[]
}

/** A file whose format is known. */
export interface OpenAudio {
  /** The length that its header states, or less when that is an estimate. The actual length may differ. */
  readonly atLeastMs: number
  readonly blocks: Iterable<AudioBlock> | AsyncIterable<AudioBlock>
}

/** A file of a known kind that cannot be decoded. The message is for the client. */
export class BrokenAudioError extends Error {
  override readonly name = 'BrokenAudioError'
}

/** The mean of the channels as 16-bit PCM. */
export const monoPcm = ({ channels }: AudioBlock): Int16Array => {
  const [first = new Float32Array(0), ...others] = channels
  const pcm = new Int16Array(first.length)
  for (let at = 0; at < first.length; at++) {
    let sum = first[at]!
    for (const channel of others) sum += channel[at]!
    const sample = Math.round((sum / channels.length) * 32_768)
    pcm[at] = Math.max(-32_768, Math.min(32_767, sample))
  }
  return pcm
}

type ReadSample = (view: DataView, at: number) => number

interface WavFormat {
  readonly sampleRateHz: number
  readonly channelCount: number
  readonly sampleBytes: number
  readonly readSample: ReadSample
}

const linearPcm = 1
const floatingPoint = 3
const alaw = 6
const mulaw = 7
const extensible = 0xfffe
/** The offset of the encoding in an extensible format; in others it is at the beginning. */
const subformatAt = 24
const maxChannels = 32
const framesPerBlock = 8192

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const mulawSamples = ulawToPcm(everyByte)
const alawSamples = alawToPcm(everyByte)

/** By encoding and bits of a sample. */
const readers: Readonly<Record<string, ReadSample>> = {
  [`${linearPcm} 8`]: (view, at) => (view.getUint8(at) - 128) / 128,
  [`${linearPcm} 16`]: (view, at) => view.getInt16(at, true) / 32_768,
  [`${linearPcm} 24`]: (view, at) => (view.getUint16(at, true) + view.getInt8(at + 2) * 65_536) / 8_388_608,
  [`${linearPcm} 32`]: (view, at) => view.getInt32(at, true) / 2_147_483_648,
  [`${floatingPoint} 32`]: (view, at) => finite(view.getFloat32(at, true)),
  [`${floatingPoint} 64`]: (view, at) => finite(view.getFloat64(at, true)),
  [`${alaw} 8`]: (view, at) => alawSamples[view.getUint8(at)]! / 32_768,
  [`${mulaw} 8`]: (view, at) => mulawSamples[view.getUint8(at)]! / 32_768,
}

const finite = (sample: number): number => (Number.isFinite(sample) ? sample : 0)

const readFormat = (view: DataView, start: number, end: number): WavFormat => {
  if (end - start < 16) throw new BrokenAudioError('The format of the WAV file is cut short.')
  const code = view.getUint16(start, true)
  const encoding =
    code === extensible && end - start >= subformatAt + 2 ? view.getUint16(start + subformatAt, true) : code
  const channelCount = view.getUint16(start + 2, true)
  const bits = view.getUint16(start + 14, true)
  const readSample = readers[`${encoding} ${bits}`]
  if (readSample === undefined) {
    throw new BrokenAudioError(
      `WAV files of encoding ${encoding} with ${bits} bits are not supported; use PCM of 16 bits.`,
    )
  }
  if (channelCount < 1 || channelCount > maxChannels) {
    throw new BrokenAudioError(`The WAV file has ${channelCount} channels; there must be 1 to ${maxChannels}.`)
  }
  return { sampleRateHz: view.getUint32(start + 4, true), channelCount, sampleBytes: bits / 8, readSample }
}

interface FoundWav {
  readonly format: WavFormat
  /** The place of the samples in the file. */
  readonly start: number
  readonly end: number
}

const tagAt = (file: Uint8Array, at: number): string => String.fromCharCode(...file.subarray(at, at + 4))

const findSamples = (file: Uint8Array, view: DataView): FoundWav => {
  let format: WavFormat | undefined
  for (let at = 12; at + 8 <= file.length; ) {
    const tag = tagAt(file, at)
    const start = at + 8
    const end = Math.min(start + view.getUint32(at + 4, true), file.length)
    if (tag === 'fmt ') format = readFormat(view, start, end)
    if (tag === 'data') {
      if (format === undefined) throw new BrokenAudioError('The WAV file has samples before their format.')
      return { format, start, end }
    }
    // Chunks start at even offsets.
    at = end + ((end - start) % 2)
  }
  throw new BrokenAudioError('The WAV file has no samples.')
}

/**
 * The audio of a WAV file: linear PCM of 8 to 32 bits, floating point of 32 and 64 bits, A-law or µ-law. The sizes in the header
 * are not trusted: a chunk ends at the end of the file at the latest. Throws `BrokenAudioError`.
 */
export const openWav = (file: Uint8Array): OpenAudio => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const { format, start, end } = findSamples(file, view)
  const frameCount = Math.floor((end - start) / (format.sampleBytes * format.channelCount))
  return { atLeastMs: (frameCount * 1000) / format.sampleRateHz, blocks: decodeFrames(view, format, start, frameCount) }
}

function* decodeFrames(
  view: DataView,
  { sampleRateHz, channelCount, sampleBytes, readSample }: WavFormat,
  start: number,
  frameCount: number,
): Generator<AudioBlock> {
  const frameBytes = sampleBytes * channelCount
  for (let first = 0; first < frameCount; first += framesPerBlock) {
    const count = Math.min(framesPerBlock, frameCount - first)
    const channels = Array.from({ length: channelCount }, () => new Float32Array(count))
    for (const [index, channel] of channels.entries()) {
      const at = start + first * frameBytes + index * sampleBytes
      for (let frame = 0; frame < count; frame++) channel[frame] = readSample(view, at + frame * frameBytes)
    }
    yield { sampleRateHz, channels }
  }
}

const isWav = (file: Uint8Array): boolean => tagAt(file, 0) === 'RIFF' && tagAt(file, 8) === 'WAVE'
const isMp4 = (file: Uint8Array): boolean => tagAt(file, 4) === 'ftyp'

const kinds = 'WAV, MP3, FLAC, Ogg or WebM'

/**
 * The audio of a file, whose kind is determined from its content alone. Rejects with `BrokenAudioError`, and so does the
 * iteration.
 */
export const openAudio = async (file: Uint8Array): Promise<OpenAudio> => {
  if (isWav(file)) return openWav(file)
  if (isMp4(file)) throw new BrokenAudioError(`M4A and MP4 files cannot be decoded here. Send ${kinds}.`)
  // The decoder is large, and most files are WAV.
  const { openCompressedFile } = await import('./compressed-file.js')
  const audio = await openCompressedFile(file)
  if (audio === undefined) throw new BrokenAudioError(`This audio format is not supported. Send ${kinds}.`)
  return audio
}
