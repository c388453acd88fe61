import { concatPcm } from '@parlance/audio'
import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms, wordErrors } from '@parlance/testing'
import { openPocketsphinxRecognizer } from '../../src/stt/pocketsphinx-recognizer.js'
import type { Recognizer } from '../../src/stt/recognizer.js'
import { recognize } from '../stt/describe-recognizer.js'
import { type Network, overNetwork, sentences } from './speech-over-network.js'

const clean: Network = { corrects: true, loss: 0, jitterMs: 0 }
const bad: Network = { corrects: true, loss: 0.1, jitterMs: 60 }

describeWithPrograms(['flite', 'pocketsphinx'], 'speech over a bad network', () => {
  let recognizer: Recognizer
  beforeAll(async () => {
    const logger = createLogger({ name: 'test', level: 'silent' })
    recognizer = await openPocketsphinxRecognizer({ logger, maxProcesses: 1, finishTimeoutMs: 60_000 })
  })
  afterAll(() => recognizer?.close())

  /** Of all sentences. */
  const wrongWords = async (network: Network): Promise<number> => {
    let wrong = 0
    for (const sentence of sentences) {
      const { text } = await recognize(recognizer, concatPcm(await overNetwork([sentence], network)))
      wrong += wordErrors(sentence, text)
    }
    return wrong
  }

  // `bench/bad-network.mjs` measures more words and other recognizers.
  test('of which 10 % is lost and the rest is up to 60 ms late costs at most one word more than a clean line', async () => {
    const [onCleanLine, onBadLine] = [await wrongWords(clean), await wrongWords(bad)]
    process.stdout.write(`words wrong: ${onCleanLine} on a clean line, ${onBadLine} over a bad network\n`)
    expect(onBadLine).toBeLessThanOrEqual(onCleanLine + 1)
  })
})
