import { concatPcm } from '@parlance/audio'
import { estimateWordTimes, spokenWords } from '@parlance/speech/word-times'
import type { SpeechEvent } from './engine.js'

/** The speech of `text` by an engine that tells no times: those of its words come last, reckoned from the audio. */
export async function* withReckonedWords(
  speech: AsyncIterable<SpeechEvent>,
  text: string,
  sampleRateHz: number,
): AsyncGenerator<SpeechEvent> {
  const heard: Int16Array[] = []
  for await (const event of speech) {
    if (event.kind === 'audio') heard.push(event.pcm)
    yield event
  }
  const words = estimateWordTimes(spokenWords(text), concatPcm(heard), sampleRateHz)
  if (words.length > 0) yield { kind: 'marks', words, phonemes: [], estimated: true }
}
