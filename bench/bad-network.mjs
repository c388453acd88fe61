/**
 * Words that recognizers get wrong over a bad network: voices of flite speak sentences, whose packets of Opus go through a network on a
 * simulated clock and through the jitter buffer and the decoder of conversations. The sender repeats each frame in the next packet with
 * fewer bits (in-band error correction), as browsers do when packets are lost.
 */
import { resolve } from 'node:path'
import { Encoder } from '@evan/opus'
import { concatPcm } from '@parlance/audio'
import { createLogger } from '@parlance/telemetry'
import { z } from 'zod'
import { wordErrors, wordsOf } from '../libs/testing/dist/index.js'
import { sentences } from '../scripts/model-tests/measure-words.mjs'
import { commandLine } from './harness/command-line.mjs'
import { needBuild } from './harness/installed.mjs'
import { atMost, finish, goal, say, table } from './harness/report.mjs'
import { seededRandom } from './harness/seeded-order.mjs'
import { spokenBy } from './harness/spoken-packets.mjs'
import { sum } from './harness/statistics.mjs'

const options = commandLine('words that recognizers get wrong over a bad network, beside a clean line', {
  'models-dir': { type: 'string', default: '.parlance/models', help: 'the installed recognizers, beside pocketsphinx' },
  loss: { type: 'number', default: 10, help: 'how many packets of a hundred are lost' },
  'jitter-ms': { type: 'number', default: 60, help: 'how much later packets arrive at most' },
  voices: { type: 'number', default: 4, help: 'of flite, at most 4' },
  seed: { type: 'number', default: 1, help: 'of losses and jitter' },
})
needBuild('sessions')
const { createReceivedAudio } = await import('../services/sessions/dist/media/webrtc/received-audio.js')
const { writeRtpPacket } = await import('../services/sessions/dist/media/webrtc/rtp-packet.js')
const { openRecognizers, recognitionVariables } = await import('../services/sessions/dist/stt/open-recognizers.js')

const sampleRateHz = 48_000
const frameMs = 20
const frameSamples = (sampleRateHz * frameMs) / 1000
const payloadType = 111
/** Before and after a sentence: longer than the delay of the jitter buffer. */
const silence = new Int16Array(10 * frameSamples)

const framesOf = (speech) =>
  Array.from({ length: Math.floor(speech.length / frameSamples) }, (_, frame) =>
    speech.slice(frame * frameSamples, (frame + 1) * frameSamples),
  )

/** What the service receives of frames in one stream: frames of 20 ms at 16 kHz. */
const overNetwork = (sent, { loss, jitterMs }, random) => {
  const encoder = new Encoder({ channels: 1, sample_rate: sampleRateHz, application: 'voip' })
  encoder.bitrate = 32_000
  encoder.inband_fec = true
  encoder.packet_loss = 10
  const packets = sent.map((frame, sequence) => ({
    atMs: sequence * frameMs + random() * jitterMs,
    isLost: random() < loss,
    bytes: writeRtpPacket({
      payloadType,
      marker: false,
      sequence,
      timestamp: sequence * frameSamples,
      ssrc: 1,
      payload: encoder.encode(frame),
    }),
  }))
  const arriving = packets.filter(({ isLost }) => !isLost).sort((one, other) => one.atMs - other.atMs)
  const received = createReceivedAudio({ payloadType })
  const frames = packets.flatMap((_, index) => {
    while (arriving[0]?.atMs <= (index + 0.5) * frameMs) received.receive(arriving.shift().bytes)
    return received.nextFrames()
  })
  received.close()
  return frames
}

const recognize = async (recognizer, frames) => {
  const recognition = recognizer.open({ language: 'en-US', isRecording: true, onPartial() {} })
  for (const frame of frames) recognition.push(frame)
  return (await recognition.finish()).text
}

const networks = {
  clean: { loss: 0, jitterMs: 0 },
  bad: { loss: options.loss / 100, jitterMs: options['jitter-ms'] },
}
const words = options.voices * sum(sentences.map((sentence) => wordsOf(sentence).length))

const measure = async (recognizer) => {
  const wrong = { clean: 0, bad: 0 }
  for (const [name, network] of Object.entries(networks)) {
    say(`${recognizer.name}, ${name} ...`)
    const random = seededRandom(options.seed)
    for (let voice = 0; voice < options.voices; voice++) {
      const spoken = []
      for (const sentence of sentences)
        spoken.push(framesOf(concatPcm([silence, await spokenBy(sentence, voice), silence])))
      // One stream, as in a conversation: the jitter buffer keeps the delay that it has found.
      const received = overNetwork(spoken.flat(), network, random)
      for (const [at, sentence] of sentences.entries())
        wrong[name] += wordErrors(sentence, await recognize(recognizer, received.splice(0, spoken[at].length)))
    }
  }
  return { recognizer: recognizer.name, words, wrong }
}

const recognizers = await openRecognizers(
  z.object(recognitionVariables).parse({
    STT_PROVIDER: 'sherpa-onnx,pocketsphinx',
    MODELS_DIR: resolve(options['models-dir']),
  }),
  { logger: createLogger({ name: 'bench', level: 'error' }) },
)
const results = []
try {
  for (const recognizer of recognizers.list()) results.push(await measure(recognizer))
} finally {
  await recognizers.close()
}
const points = (count) => (100 * count) / words
const percent = (count) => `${points(count).toFixed(1)} %`
finish({
  json: options.json,
  assert: options.assert,
  text: table(
    ['recognizer', 'words', 'wrong on a clean line', `${options.loss} % lost, ${options['jitter-ms']} ms of jitter`],
    results.map(({ recognizer, wrong }) => [recognizer, words, percent(wrong.clean), percent(wrong.bad)]),
  ),
  figures: { results },
  goals: results.map(({ recognizer, wrong }) =>
    goal(`more words wrong, ${recognizer}`, points(wrong.bad - wrong.clean), ' points', atMost(2)),
  ),
})
