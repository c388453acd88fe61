const { default: Sequencer } = require('@jest/test-sequencer')

/** Begun last, these would run while the other workers have nothing left to do. Their sizes do not show how long they take. */
const longest = [
  'tests/api-of-agents.test.ts',
  'tests/api-of-speech.test.ts',
  'tests/dashboard.test.ts',
  'tests/operator.test.ts',
  'tests/clone.test.ts',
  'services/tts/test/engines.test.ts',
  'tests/pauses.test.ts',
  'tests/workers.test.ts',
  'tests/process-end.test.ts',
  'tests/engine-texts.test.ts',
  'services/tts/test/remote/memory.test.ts',
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
