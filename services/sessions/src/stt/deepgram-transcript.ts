import type { DeepgramMessage } from './deepgram-message.js'

/** The text of an utterance: final parts, and one that may still change. */
export interface DeepgramTranscript {
  take(results: DeepgramMessage & { type: 'Results' }): void
  text(): string
}

/** `space` separates two parts; in some languages it is empty. */
export const createDeepgramTranscript = (space: string): DeepgramTranscript => {
  const final: string[] = []
  let interim = ''
  return {
    take({ is_final: isFinal, channel }) {
      const text = channel.alternatives[0]?.transcript.trim() ?? ''
      interim = isFinal ? '' : text
      if (isFinal && text !== '') final.push(text)
    },
    text: () => (interim === '' ? final : [...final, interim]).join(space),
  }
}
