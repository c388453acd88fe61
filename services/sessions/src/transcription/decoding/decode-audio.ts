import { type AudioBlock, BrokenAudioError } from './audio-block.js'
import { decodeWav } from './wav-file.js'

const tagAt = (file: Uint8Array, at: number): string => String.fromCharCode(...file.subarray(at, at + 4))

const isWav = (file: Uint8Array): boolean => tagAt(file, 0) === 'RIFF' && tagAt(file, 8) === 'WAVE'

/**
 * The audio of a file, in blocks. What kind of file it is depends on its first bytes and on nothing else. Throws
 * `BrokenAudioError`.
 */
export const decodeAudio = (file: Uint8Array): Iterable<AudioBlock> | AsyncIterable<AudioBlock> => {
  if (file.length === 0) throw new BrokenAudioError('The file is empty.')
  if (isWav(file)) return decodeWav(file)
  throw new BrokenAudioError('This is no audio of a kind that can be decoded here, which is WAV.')
}
