/**
 * MP3, FLAC, Ogg (Opus, Vorbis, FLAC) and WebM (Opus, Vorbis), by the libraries of FFmpeg in WebAssembly. A file is read in small
 * pieces, since a few bytes may decode to much audio. A part in the middle of a file that cannot be decoded is omitted.
 */
import LibAV from '@libav.js/variant-obsolete'
import { type AudioBlock, BrokenAudioError, type OpenAudio } from './audio-file.js'

type Library = Awaited<ReturnType<typeof LibAV.LibAV>>
type Frame = Awaited<ReturnType<Library['ff_decode_multi']>>[number]

const fileName = 'file'
/** In a file of silence, one byte may become a hundred thousand bytes of samples. */
const bytesPerStep = 2 * 1024

/** The samples of a frame in one typed array, or in one for each channel. */
type Samples = Uint8Array | Int16Array | Int32Array | Float32Array | Float64Array

/** The greatest sample of a type. Unsigned samples are silent in the middle. */
const scaleOf = (samples: Samples): { readonly size: number; readonly silence: number } => {
  if (samples instanceof Uint8Array) return { size: 128, silence: 128 }
  if (samples instanceof Int16Array) return { size: 32_768, silence: 0 }
  if (samples instanceof Int32Array) return { size: 2_147_483_648, silence: 0 }
  return { size: 1, silence: 0 }
}

/** Every `step`th sample from `start` on. */
const channelOf = (samples: Samples, start: number, step: number): Float32Array => {
  const { size, silence } = scaleOf(samples)
  const channel = new Float32Array(Math.floor((samples.length - start + step - 1) / step))
  for (let at = 0; at < channel.length; at++) channel[at] = (samples[start + at * step]! - silence) / size
  return channel
}

const blockOf = ({ data, channels = 1, sample_rate: sampleRateHz = 0 }: Frame): AudioBlock => ({
  sampleRateHz,
  channels: Array.isArray(data)
    ? data.map((plane: Samples) => channelOf(plane, 0, 1))
    : Array.from({ length: channels }, (_, channel) => channelOf(data, channel, channels)),
})

const openDemuxer = async (library: Library) => {
  try {
    const [context, streams] = await library.ff_init_demuxer_file(fileName)
    const stream = streams.find(({ codec_type }) => codec_type === library.AVMEDIA_TYPE_AUDIO)
    return stream === undefined ? undefined : { context, stream }
  } catch {
    return undefined
  }
}

const openDecoder = async (library: Library, codec: number, parameters: number) => {
  try {
    return await library.ff_init_decoder(codec, parameters)
  } catch {
    throw new BrokenAudioError('There is no decoder here for the audio in the file.')
  }
}

/** The length of MP3 without a table of contents is an estimate from its first frames. */
const hasExactDuration = (file: Uint8Array): boolean =>
  ['4f676753', '664c6143', '1a45dfa3'].includes(Buffer.from(file.subarray(0, 4)).toString('hex'))

/** The audio of a file, or undefined for a file of another kind. Throws `BrokenAudioError`. */
export const openCompressedFile = async (file: Uint8Array): Promise<OpenAudio | undefined> => {
  const library = await LibAV.LibAV({ noworker: true, nothreads: true })
  await library.writeFile(fileName, file)
  const opened = await openDemuxer(library)
  if (opened === undefined) return undefined
  const { context, stream } = opened
  const [, decoder, packet, frame] = await openDecoder(library, stream.codec_id, stream.codecpar)
  const announcedMs = (stream.duration ?? 0) * 1000
  const blocks = (async function* () {
    for (let isAtEnd = false; !isAtEnd; ) {
      const [result, packets] = await library.ff_read_frame_multi(context, packet, { limit: bytesPerStep })
      isAtEnd = result < 0 && result !== -library.EAGAIN
      const read = packets[stream.index] ?? []
      const options = { fin: isAtEnd, ignoreErrors: true }
      yield* (await library.ff_decode_multi(decoder, packet, frame, read, options)).map(blockOf)
    }
  })()
  return { atLeastMs: hasExactDuration(file) ? announcedMs : announcedMs / 2, blocks }
}
