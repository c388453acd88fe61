import { concatPcm } from '@parlance/audio'
import { estimateWordTimes, spokenWords } from '@parlance/speech/word-times'
import type { SpeechEvent } from './engine.js'

/** Adds word times to the speech of `text` by an engine that reports none. They come last, estimated from the audio. */
export async function* withEstimatedWords(
  speech: AsyncIterable<SpeechEvent>,
  text: string,
  sampleRateHz: number,
): AsyncGenerator<SpeechEvent> {
  const received: Int16Array[] = []
  for await (const event of speech) {
    if (event.kind === 'audio') received.push(event.pcm)
    yield event
  }
  const words = estimateWordTimes(spokenWords(text), concatPcm(received), sampleRateHz)
  if (words.length > 0) yield { kind: 'marks', words, phonemes: [], estimated: true }
}
