// Smart Turn distinguishes complete turns from incomplete ones by the sound of a real voice.
import assert from 'node:assert/strict'
import { createLogger } from '../../libs/telemetry/dist/index.js'
import { openTurnDetectors } from '../../services/sessions/dist/turn-detector/open-turn-detectors.js'
import { startWithModels } from './installation.mjs'
import { speak } from './speech-calls.mjs'

const sampleRateHz = 16_000
/** The silence after which a detector is called. */
const silenceSamples = 0.2 * sampleRateHz
const quiet = 150

/** A neural voice speaks a text differently each time. The answers to these were the same in ten readings of each. */
const turns = {
  complete: ['What time is it?', 'My name is Peter.', 'The train leaves at seven in the morning.'],
  incomplete: ['The weather is nice and', 'Well, I was thinking that, uh'],
}
const boundary = 0.5

/** Speaks a text and ends it as the user's audio would. */
const speakTurn = async (platform, voice, text) => {
  const speech = await speak(platform, voice, text, { format: 'pcm_s16le', sample_rate: sampleRateHz })
  const samples = new Int16Array(await speech.arrayBuffer())
  const spoken = samples.subarray(0, samples.findLastIndex((sample) => Math.abs(sample) > quiet) + 1)
  const turn = new Int16Array(spoken.length + silenceSamples)
  turn.set(spoken)
  return turn
}

/** Resolves to the probability that a turn is complete. A busy machine may be late, so there are three attempts. */
const askDetector = async (detector, turn) => {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const probability = await detector.detect(turn)
    if (probability !== undefined) return probability
  }
  assert.fail('there was no result in time')
}

const checkAnswers = (answers) => {
  const message = answers.map(({ text, probability }) => `"${text}" ${probability.toFixed(2)}`).join(', ')
  for (const { kind, probability } of answers) {
    assert.equal(probability > boundary ? 'complete' : 'incomplete', kind, message)
  }
  return message
}

/**
 * Rejects with an `AssertionError` unless the turn model of a folder judges the turns right that a voice of another folder
 * speaks. Resolves with its answers.
 */
export const testTurns = async ({ voice: name, voiceDir, turnModelDir, folder }) => {
  const logger = createLogger({ name: 'model-tests', destination: { write: () => {} } })
  const detectors = await openTurnDetectors({ modelsDir: turnModelDir, logger })
  const platform = await startWithModels({ folder, modelsDir: voiceDir, variants: [name] })
  try {
    const detector = detectors.find('en-US')
    assert.ok(detector, 'the model for the end of turns was not loaded')
    const voice = platform.voices.find(({ variants }) => variants[0].id === name)
    const answers = []
    for (const [kind, texts] of Object.entries(turns)) {
      for (const text of texts) {
        const turn = await speakTurn(platform, voice, text)
        answers.push({ kind, text, probability: await askDetector(detector, turn) })
      }
    }
    return checkAnswers(answers)
  } finally {
    await Promise.all([platform.stop(), detectors.close()])
  }
}
