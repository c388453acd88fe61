import { knowsLanguage } from '@parlance/contracts'
import type { Recognizer } from './recognizer.js'

/** How well a recognizer's languages match a tag: the whole tag before its first part alone. 0: not at all. */
const matchOf = ({ languages }: Recognizer, tag: string): number => {
  if (!knowsLanguage(languages, tag)) return 0
  return languages?.some((language) => language.toLowerCase() === tag.toLowerCase()) ? 2 : 1
}

/**
 * The best recognizer for a BCP 47 tag; undefined when none knows the language. `groups` are in order of preference: a later
 * group is used only for a language that no earlier one knows. In a group the one with the whole tag goes first, then the
 * one with the higher quality, then the earlier one. A slow one is never chosen.
 */
export const chooseRecognizer = (groups: readonly (readonly Recognizer[])[], tag: string): Recognizer | undefined => {
  for (const group of groups) {
    const [best] = group
      .map((recognizer) => ({ recognizer, match: matchOf(recognizer, tag), quality: recognizer.quality ?? 0 }))
      .filter(({ recognizer, match }) => match > 0 && recognizer.isSlow !== true)
      .sort((a, b) => b.match - a.match || b.quality - a.quality)
    if (best !== undefined) return best.recognizer
  }
  return undefined
}
