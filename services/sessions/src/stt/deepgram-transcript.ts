import type { DeepgramMessage } from './deepgram-message.js'

/** What is understood of an utterance: stretches that are done with, and the one that may still change. */
export interface DeepgramTranscript {
  take(results: DeepgramMessage & { type: 'Results' }): void
  text(): string
}

/** `space` stands between two stretches; in some languages there is none. */
export const createDeepgramTranscript = (space: string): DeepgramTranscript => {
  const done: string[] = []
  let open = ''
  return {
    take({ is_final: isFinal, channel }) {
      const text = channel.alternatives[0]?.transcript.trim() ?? ''
      open = isFinal ? '' : text
      if (isFinal && text !== '') done.push(text)
    },
    text: () => (open === '' ? done : [...done, open]).join(space),
  }
}
