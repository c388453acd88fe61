import { BrokenAudioError, type OpenAudio } from './audio-block.js'
import { openWav } from './wav-file.js'

const tagAt = (file: Uint8Array, at: number): string => String.fromCharCode(...file.subarray(at, at + 4))

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
