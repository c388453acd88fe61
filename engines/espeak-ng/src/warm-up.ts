import type { SpeakCommand } from '@parlance/engine/protocol'
import { voices } from './voices.js'

/** Sounds of every kind, a number and more than one clause: what a first request is likely to need. */
const text = 'Hello, this is the voice you asked for. It has 24 words to say, should you judge them; shall we go on?'

/**
 * What to speak, to nobody, before the first request: every voice in each of its languages, so that the dictionaries
 * are loaded and the code that speaks is compiled. The first is a single word, after which the process can be called
 * ready; it gets faster while the rest is spoken.
 */
export const warmUpCommands = (): SpeakCommand[] => {
  const commands = voices.flatMap((voice) =>
    [...new Set(Object.values(voice.espeakLanguages))].map((espeakLanguage) => ({
      text,
      voiceId: voice.id,
      variant: 'standard',
      language: voice.languages.find((tag) => voice.espeakLanguages[tag] === espeakLanguage)!,
      speed: 1,
      volume: 1,
    })),
  )
  return [{ ...commands[0]!, text: 'Hello.' }, ...commands]
}
