const { default: Sequencer } = require('@jest/test-sequencer')

/** Begun last, these would run while the other workers have nothing left to do. Their sizes do not show how long they take. */
const longest = [
  'tests/dashboard.test.ts',
  'services/tts/test/engines.test.ts',
  'tests/api-of-agents.test.ts',
  'tests/pauses.test.ts',
  'tests/dashboard-talk.test.ts',
  'tests/dashboard-work.test.ts',
  'tests/examples.test.ts',
  'tests/openid-sign-in.test.ts',
  'tests/chart/chart.test.ts',
  'services/sessions/test/stt/pocketsphinx-recognizer.test.ts',
  'services/tokens/test/credit/chaos.test.ts',
  'tests/api-of-speech.test.ts',
  'tests/process-end.test.ts',
  'tests/operator.test.ts',
  'tests/speech-page.test.ts',
  'tests/model-offers.test.ts',
  'services/tts/test/sherpa-onnx-engine.test.ts',
  'tests/engine-texts.test.ts',
  'tests/workers.test.ts',
  'tests/long-lists.test.ts',
  'services/tokens/test/tokens/tokens.test.ts',
  'tests/standalone.test.ts',
  'services/sessions/test/stt/sherpa-onnx-recognizers.test.ts',
  'services/sessions/test/instances.test.ts',
  'libs/bus/test/nats/secured.test.ts',
]

const rank = ({ path }) => {
  const index = longest.findIndex((end) => path.endsWith(end))
  return index === -1 ? longest.length : index
}

/** Jest's own order, by the last durations or by size, with the longest suites before all others. */
module.exports = class extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b))
  }
}
