import type { PhonemeMark, SpeechMarks, WordMark } from '@parlance/engine/protocol'

/** The events that eSpeak reports while it speaks, in that order. */
interface SpeechStarts {
  /**
   * `offset` is the engine's reading position in the text: inside the word, not always at its start. `sound` is the index
   * of the first sound reported after the word. The time reported with a word is not used: where a vowel follows an `l` or
   * `n` it is the time before that sound.
   */
  readonly words: readonly { readonly offset: number; readonly sound: number }[]
  /** The IPA of each sound, empty for a pause, and when it begins. */
  readonly sounds: readonly { readonly ipa: string; readonly ms: number }[]
}

interface Token {
  readonly text: string
  readonly start: number
  /** Whether it consists of letters or digits. Other tokens (`&`, an emoji) are words only when the engine spoke them. */
  readonly isWordLike: boolean
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

const tokensOf = (text: string): Token[] =>
  [...segmenter.segment(text)]
    .filter(({ segment }) => segment.trim() !== '')
    .map(({ segment, index, isWordLike }) => ({ text: segment, start: index, isWordLike: isWordLike === true }))

/** Returns the index of the last token that starts at or before `offset`, searching from the index `from`. */
const tokenAt = (tokens: readonly Token[], offset: number, from: number): number => {
  let index = from
  while (index + 1 < tokens.length && tokens[index + 1]!.start <= offset) index++
  return index
}

/**
 * eSpeak speaks several words for one token (`2024`) and one for several (`of the`). A token lasts from its first sound to its
 * last. Tokens that are spoken together share that time by their lengths.
 */
const wordMarks = (text: string, { words, sounds }: SpeechStarts, audioMs: number): WordMark[] => {
  const tokens = tokensOf(text)
  if (tokens.length === 0) return []

  const spoken: { token: number; sound: number }[] = []
  for (const { offset, sound } of words) {
    const last = spoken.at(-1)?.token ?? -1
    const token = tokenAt(tokens, offset, Math.max(last, 0))
    if (token > last) spoken.push({ token, sound })
  }

  return spoken.flatMap(({ token, sound }, turn) => {
    const next = spoken[turn + 1]
    const own = sounds.slice(sound, next?.sound)
    const first = own.findIndex(({ ipa }) => ipa !== '')
    if (first === -1) return []
    const startMs = own[first]!.ms
    const endMs = sounds[sound + own.findLastIndex(({ ipa }) => ipa !== '') + 1]?.ms ?? audioMs

    const together = tokens
      .slice(turn === 0 ? 0 : token, next?.token)
      .filter((candidate) => candidate.isWordLike || candidate === tokens[token])
    const length = together.reduce((sum, part) => sum + part.text.length, 0)
    const share = (characters: number) => startMs + Math.round(((endMs - startMs) * characters) / length)
    let characters = 0
    return together.map((part): WordMark => {
      const from = share(characters)
      characters += part.text.length
      const textEnd = part.start + part.text.length
      return { text: part.text, textStart: part.start, textEnd, startMs: from, endMs: share(characters) }
    })
  })
}

const phonemeMarks = (sounds: SpeechStarts['sounds'], audioMs: number): PhonemeMark[] =>
  sounds.flatMap(({ ipa, ms }, index) =>
    ipa === '' ? [] : [{ ipa, startMs: ms, endMs: sounds[index + 1]?.ms ?? audioMs }],
  )

/** Times that eSpeak reports beyond `audioMs`, the length of the audio, are moved to its end. */
export const speechMarks = (text: string, { words, sounds }: SpeechStarts, audioMs: number): SpeechMarks => {
  const within = sounds.map(({ ipa, ms }) => ({ ipa, ms: Math.min(ms, audioMs) }))
  return { words: wordMarks(text, { words, sounds: within }, audioMs), phonemes: phonemeMarks(within, audioMs) }
}
