import { ServiceError } from '@parlance/contracts'
import fc from 'fast-check'
import { failure } from './fake-stages.js'
import { fakeTool, pageTool } from './fake-tools.js'
import { conversation, fakeTime, type Setup } from './scenario.js'

fakeTime()

type Scenario = ReturnType<typeof conversation>
/** One step of a conversation. */
type Action = readonly [name: string, argument: string | number]

const ids = ['7e3b4a52-6b0c-4b7e-9d5e-0c6f4f1f1a01', '7e3b4a52-6b0c-4b7e-9d5e-0c6f4f1f1a02']

const resultOf = ({ tool_call_id }: { readonly tool_call_id: string }) => ({
  event: 'tool.result' as const,
  tool_call_id,
  result: { fine: true },
  is_error: false,
})

const actions: Readonly<Record<string, (scenario: Scenario, argument: never) => Scenario>> = {
  voice: (scenario, ms: number) => scenario.voice(ms),
  pause: (scenario, ms: number) => scenario.pause(ms),
  noAudio: (scenario, ms: number) => scenario.noAudio(ms),
  partial: (scenario, text: string) => scenario.partial(text),
  recognizes: (scenario, text: string) => scenario.recognizes(text),
  recognitionFails: (scenario) => scenario.recognizes(undefined),
  types: (scenario, text: string) => scenario.types(text, ids[text.length % 2]),
  typesAgain: (scenario, text: string) => scenario.types(text),
  says: (scenario, text: string) => scenario.send({ event: 'agent.say', id: ids[text.length % 2]!, text }),
  sends: (
    scenario,
    event: 'user.activity' | 'ptt.start' | 'ptt.commit' | 'ptt.cancel' | 'interrupt' | 'client.ready',
  ) => scenario.send({ event }),
  mutes: (scenario, on: number) => scenario.send({ event: 'mute', muted: on === 1 }),
  replies: (scenario, text: string) => scenario.replies(text),
  calls: (scenario, names: string) => scenario.replies({ calls: names.split(' ') }),
  speaksAndCalls: (scenario, names: string) => scenario.replies({ text: 'Let me look.', calls: names.split(' ') }),
  pageAnswers: (scenario, before: number) =>
    scenario.look(({ events, send }) => {
      const call = events('tool.call').at(-1 - before)
      if (call !== undefined) send(resultOf(call))
    }),
  modelFails: (scenario, text: string) => scenario.replies({ text, fails: failure('model') }),
  speechFails: (scenario) => scenario.speechFails(failure('speech')),
  creditRunsOut: (scenario) => scenario.speechFails(new ServiceError('insufficient_credit', 'No credit is left.')),
  isToEnd: (scenario, ms: number) => scenario.end('drained', ms),
  loses: (scenario) => scenario.lost('connection_lost'),
}

const ms = fc.integer({ min: 1, max: 45 }).map((frames) => frames * 20)
const text = fc.constantFrom('', 'um', 'Yes.', 'One two three.', 'One two. Three four five six seven. Eight.')
const names = fc
  .array(fc.constantFrom('fast', 'slow', 'broken', 'page', 'unknown'), { minLength: 1, maxLength: 3 })
  .map((called) => called.join(' '))
const action = (name: string, argument: fc.Arbitrary<string | number> = fc.constant(0)) =>
  fc.tuple(fc.constant(name), argument) as fc.Arbitrary<Action>

const anyAction = fc.oneof(
  { weight: 6, arbitrary: action('voice', ms) },
  { weight: 6, arbitrary: action('pause', ms) },
  { weight: 1, arbitrary: action('noAudio', ms) },
  { weight: 3, arbitrary: action('partial', text) },
  { weight: 3, arbitrary: action('recognizes', text) },
  { weight: 1, arbitrary: action('recognitionFails') },
  { weight: 1, arbitrary: action('types', text) },
  { weight: 2, arbitrary: action('typesAgain', text) },
  {
    weight: 1,
    arbitrary: action(
      'says',
      text.filter((said) => said !== ''),
    ),
  },
  {
    weight: 4,
    arbitrary: action(
      'sends',
      fc.constantFrom('ptt.start', 'ptt.commit', 'ptt.cancel', 'interrupt', 'client.ready', 'user.activity'),
    ),
  },
  { weight: 1, arbitrary: action('mutes', fc.constantFrom(0, 1)) },
  { weight: 3, arbitrary: action('replies', text) },
  { weight: 4, arbitrary: action('calls', names) },
  { weight: 2, arbitrary: action('speaksAndCalls', names) },
  { weight: 3, arbitrary: action('pageAnswers', fc.nat(2)) },
  { weight: 1, arbitrary: action('modelFails', text) },
  { weight: 1, arbitrary: action('speechFails') },
)
const anyEnd = fc.oneof(
  { weight: 3, arbitrary: action('pause', fc.constant(0)) },
  { weight: 1, arbitrary: action('isToEnd', fc.constantFrom(0, 300, 5000)) },
  { weight: 1, arbitrary: action('loses') },
  { weight: 1, arbitrary: action('creditRunsOut') },
)

const anySetup: fc.Arbitrary<Setup> = fc.record({
  inputMode: fc.constantFrom('automatic', 'push-to-talk'),
  finishMs: fc.constantFrom(0, 100, 900),
  config: fc.constantFrom(
    {},
    { first_message: 'Welcome to us.' },
    {
      first_message: 'Welcome.',
      first_message_interruptible: false,
    },
  ),
  turn: fc.record({
    interruptions_enabled: fc.boolean(),
    interruption_min_ms: fc.constantFrom(0, 200, 500),
    endpointing_min_ms: fc.constantFrom(0, 500),
    false_interruption_timeout_ms: fc.constantFrom(0, 300, 2000),
  }),
})

test('whatever happens, a conversation keeps its invariants, becomes idle, and ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      anySetup,
      fc.array(anyAction, { maxLength: 25 }),
      anyEnd,
      fc.array(anyAction, { maxLength: 5 }),
      async (setup, before, end, after) => {
        const tools = [
          fakeTool('fast', { ms: 20 }),
          fakeTool('slow', { ms: 3000, timeoutMs: 2500 }),
          fakeTool('broken', { fails: failure('tool') }),
        ]
        let scenario = conversation({ ...setup, tools, pageTools: [pageTool('page', { timeout_ms: 1000 })] }).ready()
        for (const [name, argument] of [...before, end, ...after]) {
          scenario = actions[name]!(scenario, argument as never)
        }
        const talk = await scenario
          .send({ event: 'ptt.cancel' })
          .pause(12_000)
          .look((talk) => {
            if (talk.ended() !== undefined) return
            // No call waits for an answer.
            const errors = talk.errors().length
            const calls = talk.events('tool.call')
            for (const call of calls) talk.send(resultOf(call))
            expect(talk.errors()).toHaveLength(errors + calls.length)
            expect(talk.states().at(-1)).toBe('listening')
            expect(talk.events('user.speech').at(-1)?.started ?? false).toBe(false)
            expect(talk.stt.utterances.every(({ outcome }) => outcome !== 'open')).toBe(true)
          })
          .run()
        expect(talk.kept.turns).toHaveLength(talk.events('metrics').length)
      },
    ),
    { numRuns: 40 },
  )
})
