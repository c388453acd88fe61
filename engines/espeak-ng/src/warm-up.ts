import type { SpeakCommand } from '@parlance/engine/protocol'
import { voices } from './voices.js'

/** Has sounds of every kind, a number and more than one clause. */
const text = 'Hello, this is the voice you asked for. It has 24 words to say, should you judge them; shall we go on?'

/**
 * Returns texts to speak before the first request: every voice in each of its languages, which loads the dictionaries and
 * compiles the code. The first is a single word, after which the process is ready; the others make it faster.
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
