import { concatPcm } from '@parlance/audio'
import { createResampler } from '@parlance/audio/encoding'
import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms, testSeed, wordErrors } from '@parlance/testing'
import { openPocketsphinxRecognizer } from '../../src/stt/pocketsphinx-recognizer.js'
import type { Recognizer } from '../../src/stt/recognizer.js'
import { spoken } from '../spoken.js'
import { recognize } from '../stt/describe-recognizer.js'
import { connect, endAll, every20Ms, openPort } from './connected-peer.js'
import { randomFrom } from './random-from.js'
import { openUdpRelay } from './udp-relay.js'

const sentences = ['please tell me the time', 'what is the weather like today', 'can you help me find my keys']
const wordCount = sentences.join(' ').split(' ').length
/** As long as anything may be under way. */
const silentFrames = 15

/** As a browser would send it, in frames of 20 ms at 48 kHz. */
const framesAt48k = async (sentence: string): Promise<Int16Array[]> => {
  const resampler = createResampler({ fromHz: 16_000, toHz: 48_000 })
  const pcm = concatPcm([resampler.resample(await spoken(sentence)), resampler.finish()])
  return Array.from({ length: Math.ceil(pcm.length / 960) }, (_, index) => {
    const frame = new Int16Array(960)
    frame.set(pcm.subarray(index * 960, (index + 1) * 960))
    return frame
  })
}

describeWithPrograms(['flite', 'pocketsphinx'], 'speech over WebRTC', () => {
  let recognizer: Recognizer
  beforeAll(async () => {
    const logger = createLogger({ name: 'test', level: 'silent' })
    recognizer = await openPocketsphinxRecognizer({ logger, maxProcesses: 1, finishTimeoutMs: 60_000 })
  })
  afterAll(() => recognizer?.close())
  afterEach(endAll)

  test('is recognized when 10 % of packets are lost and others are up to 60 ms late', async () => {
    const seed = testSeed()
    // The peer is silent during recognition, which on a busy machine takes longer than the liveness timeout.
    const port = await openPort({ livenessTimeoutMs: 120_000 })
    const relay = await openUdpRelay(port.port, randomFrom(seed))
    const { peer, received, opened } = await connect(port, { relayPort: relay.port, correctsErrors: true })
    await Promise.all([opened(), peer.open])
    relay.disturb({ loss: 0.1, jitterMs: 60 })
    const texts: string[] = []
    let wrong = 0
    for (const sentence of sentences) {
      const frames = await framesAt48k(sentence)
      const before = received.length
      await every20Ms(frames.length + silentFrames, (index) => peer.speak(frames[index] ?? new Int16Array(960)))
      const { text } = await recognize(recognizer, concatPcm(received.slice(before)))
      texts.push(text)
      wrong += wordErrors(sentence, text)
    }
    relay.close()
    if (wrong > wordCount / 2) throw new Error(`${wrong} of ${wordCount} words, seed ${seed}: ${texts.join(' / ')}`)
    process.stdout.write(`speech over a bad network: ${wrong} of ${wordCount} words wrong, seed ${seed}\n`)
  })
})
