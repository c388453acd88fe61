import { listLanguages, ServiceError } from '@parlance/contracts'

interface SpeakingVoice {
  readonly display_name: string
  /** BCP 47 tags. */
  readonly languages: readonly string[]
}

/**
 * Whether the voice can say anything of the text: digits, Latin letters, which voices of all languages know, or letters of a
 * script of its languages. A voice with a language of unknown script is assumed to know all letters.
 */
export const canSay = ({ languages }: SpeakingVoice, text: string): boolean =>
  usualText.test(text) || (/\p{L}/u.test(text) && languages.some((tag) => lettersOf(tag).test(text)))

/** Throws `text_not_speakable` where the voice can say nothing of the text. */
export const refuseUnspeakable = (voice: SpeakingVoice, text: string): void => {
  if (canSay(voice, text)) return
  throw new ServiceError(
    'text_not_speakable',
    `text: contains nothing that this voice can say; the ${listLanguages(voice)}`,
  )
}

/** `Zyyy` is for letters without a script, such as those of mathematics. */
const usualText = /\p{N}|(?=\p{L})[\p{sc=Latn}\p{sc=Zyyy}]/u

/** Scripts of BCP 47 that correspond to several scripts of Unicode, or have another name there. */
const unicodeScripts: Readonly<Record<string, readonly string[]>> = {
  Hans: ['Hani', 'Bopo'],
  Hant: ['Hani', 'Bopo'],
  Jpan: ['Hani', 'Hira', 'Kana'],
  Kore: ['Hang', 'Hani'],
}

const lettersByTag = new Map<string, RegExp>()

const lettersOf = (tag: string): RegExp => {
  const letters = lettersByTag.get(tag) ?? lettersOfScript(tag)
  lettersByTag.set(tag, letters)
  return letters
}

const lettersOfScript = (tag: string): RegExp => {
  try {
    const { script = '' } = new Intl.Locale(tag).maximize()
    const scripts = unicodeScripts[script] ?? [script]
    return new RegExp(`(?=\\p{L})[${scripts.map((each) => `\\p{scx=${each}}`).join('')}]`, 'u')
  } catch {
    // Not a tag, or without a script that Unicode knows, such as "chr-Qaaa".
    return /\p{L}/u
  }
}
