import { failuresOf } from '../src/run-scenario.js'
import { parseScenarioFile, type ScenarioFileError } from '../src/scenario-file.js'

const linesOf = (text: string): readonly string[] => {
  try {
    parseScenarioFile(text)
    return []
  } catch (error) {
    return (error as ScenarioFileError).problems.map(({ line, message }) => `${line}: ${message}`)
  }
}

const valid = `agent: front-desk
scenarios:
  - name: Hours
    turns:
      - user: When do you open?
        expect:
          words: nine
`

test('a file of scenarios is read with its defaults', () => {
  const { agent, scenarios } = parseScenarioFile(valid)
  expect({ agent, scenarios }).toEqual({
    agent: 'front-desk',
    scenarios: [
      {
        ...{ name: 'Hours', variables: {} },
        turns: [{ user: 'When do you open?', expect: { words: ['nine'], tools: [], judge: [] } }],
      },
    ],
  })
})

test.each([
  ['an unknown key', valid.replace('words: nine', 'word: nine'), /^7: scenarios\.0\.turns\.0\.expect\.word: /],
  ['a value of another type', `${valid}          within_ms: soon\n`, /^8: .*within_ms: .*number/],
  ['a missing key', valid.replace('agent: front-desk\n', ''), /^1: agent: /],
  ['a later turn without a user', `${valid}      - expect: { words: ten }\n`, /^4: .*only the first turn/],
  ['text that is not YAML', `${valid}  - "open\n`, /^\d+: \S/],
  ['an empty file', '', /^1: the file: /],
])('%s is refused with its line', (_, text, expected) => {
  expect(linesOf(text)).toEqual([expect.stringMatching(expected)])
})

test('a reply is compared by whole words in any case, by the tools that were called, and by its delay', () => {
  const [turn] = parseScenarioFile(
    valid.replace(
      'words: nine',
      'words: [nine, "O\'Clock sharp", en]\n          tools: hours\n          within_ms: 800',
    ),
  ).scenarios[0]!.turns
  const messages = [{ id: '1', role: 'agent' as const, text: 'We open at NINE o’clock, sharp.' }]
  expect(failuresOf(turn!, { messages, tools: ['search'], delayMs: 812.4 })).toEqual([
    'the reply lacks "en"',
    'the tool hours was not called',
    'the reply came after 812 ms, not within 800 ms',
  ])
})
