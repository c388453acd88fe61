// Smart Turn tells turns that are complete from turns that are not, by the sound of a real voice.
import assert from 'node:assert/strict'
import { createLogger } from '../../libs/telemetry/dist/index.js'
import { openTurnDetectors } from '../../services/sessions/dist/turn-detection/open-turn-detectors.js'
import { startWithModels } from './installation.mjs'

const sampleRateHz = 16_000
/** A detector is asked after so much silence. */
const silenceSamples = 0.2 * sampleRateHz
const quiet = 150

/** A voice never says a text twice alike: these are far from the boundary however they are spoken. */
const turns = {
  complete: ['What time is it?', 'How are you today?'],
  incomplete: ['The weather is nice and', 'Well, I was thinking that, uh'],
}
const boundary = 0.5

/** Speaks a text and ends it as the user's audio would. */
const speak = async ({ url, headers, voice }, text) => {
  const output = { format: 'pcm_s16le', sample_rate: sampleRateHz }
  const response = await fetch(`${url}/v1/tts`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ text, voice_id: voice.id, output }),
  })
  assert.equal(response.status, 200)
  const samples = new Int16Array(await response.arrayBuffer())
  const spoken = samples.subarray(0, samples.findLastIndex((sample) => Math.abs(sample) > quiet) + 1)
  const turn = new Int16Array(spoken.length + silenceSamples)
  turn.set(spoken)
  return turn
}

/**
 * A neural voice speaks a text somewhat differently each time, so a single complete turn may fall on the boundary. All
 * complete turns must be far above all incomplete ones.
 */
const checkAnswers = ({ complete, incomplete }, message) => {
  const minOfComplete = Math.min(...complete)
  const maxOfIncomplete = Math.max(...incomplete)
  assert.ok(minOfComplete - maxOfIncomplete > 0.3, message)
  assert.ok(maxOfIncomplete < boundary && Math.max(...complete) > boundary, message)
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
    const probabilities = { complete: [], incomplete: [] }
    for (const [kind, texts] of Object.entries(turns)) {
      for (const text of texts) {
        const probability = await detector.detect(await speak({ ...platform, voice }, text))
        assert.ok(probability !== undefined, 'there was no answer in time')
        answers.push(`"${text}" ${probability.toFixed(2)}`)
        probabilities[kind].push(probability)
      }
    }
    checkAnswers(probabilities, answers.join(', '))
    return answers.join(', ')
  } finally {
    await Promise.all([platform.stop(), detectors.close()])
  }
}
