/** An engine for tests: the text of a job chooses the blocks of ten samples that it sends, and its failures. */
import { setTimeout as delay } from 'node:timers/promises'
import { EngineUnavailableError, runEngineHost, SpeechRefusedError } from '../../dist/host/index.js'

const block = new Int16Array(10).fill(700)
const [opening] = process.argv.slice(2)
let warmUpSteps = 0

const speakAtOnce = (output) => {
  while (output.audio(block));
}

const speakInTime = async (output) => {
  while (output.audio(block)) await delay(1)
}

await runEngineHost(() => {
  if (opening === 'unavailable') throw new EngineUnavailableError('nothing to speak with')
  if (opening === 'broken') throw new Error('secret detail')
  return {
    hello: { engine: 'scripted', version: '1', sampleRateHz: 8000, voices: [] },
    speak: ({ text }, output) => {
      if (text === 'refuse') throw new SpeechRefusedError('no such voice')
      if (text === 'break') throw new Error('a bug')
      if (text === 'at once for ever') return speakAtOnce(output)
      if (text === 'in time for ever') return speakInTime(output)
      if (text === 'long') return void output.audio(new Int16Array(1_000_000).fill(700))
      if (text === 'steps') return void output.audio(new Int16Array(warmUpSteps).fill(700))
      if (text === 'answer') {
        for (let blocks = 0; blocks < 5; blocks++) output.audio(block)
        return { words: [], phonemes: [{ ipa: 'a', startMs: 0, endMs: 1 }] }
      }
      output.audio(block)
      output.marks({ words: [], phonemes: [{ ipa: 'a', startMs: 0, endMs: 1 }] })
    },
    warmUp: Array.from({ length: 3 }, () => () => {
      warmUpSteps++
    }),
  }
})
