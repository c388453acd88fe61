import type { SpeakCommand } from '../protocol/index.js'
import { SpeechRefusedError } from './engine-host.js'

interface HostedVoice {
  readonly variants: readonly { readonly id: string }[]
  /** BCP 47 tags, the main one first. */
  readonly languages: readonly string[]
}

/**
 * Returns the voice that a job requests, and its own tag for the language: the main one for null. Throws
 * `SpeechRefusedError` for a voice, variant or language that the engine does not have.
 */
export const chosenVoice = <Voice extends HostedVoice>(
  voices: ReadonlyMap<string, Voice>,
  { voiceId, variant, language }: Pick<SpeakCommand, 'voiceId' | 'variant' | 'language'>,
): { voice: Voice; language: string } => {
  const voice = voices.get(voiceId)
  if (voice === undefined) throw new SpeechRefusedError('unknown voice')
  if (!voice.variants.some(({ id }) => id === variant))
    throw new SpeechRefusedError('the voice does not have this variant')
  const wanted = (language ?? voice.languages[0]!).toLowerCase()
  const spoken = voice.languages.find((tag) => tag.toLowerCase() === wanted)
  if (spoken === undefined) throw new SpeechRefusedError('the voice does not speak this language')
  return { voice, language: spoken }
}
