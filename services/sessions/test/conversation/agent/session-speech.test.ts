import { pushStreamFrom } from '@parlance/async/push-stream'
import { agentConfigSchema, type SynthesisChunk, type SynthesisRequest } from '@parlance/contracts'
import { createSessionSpeech } from '../../../src/conversation/agent/session-speech.js'

const config = agentConfigSchema.parse({
  slug: 'an-agent',
  display_name: 'An agent',
  voice_id: '0'.repeat(32),
  llm_provider: 'builtin',
  llm_model: 'builtin',
})
const text = 'Hello there.'
const segment = { text, speakable: true }

const chunks = ({ output }: SynthesisRequest): SynthesisChunk[] => [
  { event: 'started', output, queue_ms: 0, ttfa_ms: 1 },
  { event: 'audio', seq: 0, segment: 0, start_ms: 0, duration_ms: 500, data: new Uint8Array(2) },
  { event: 'segment', segment: 0, characters: text.length },
]

/** Speech whose bills open when `openBills` is called, at one billionth for each character. */
const openSpeech = () => {
  const settled: number[] = []
  const spoken: number[] = []
  let openBills = () => {}
  const opens = new Promise<void>((resolve) => {
    openBills = resolve
  })
  const speech = createSessionSpeech({
    async openBill({ request }) {
      await opens
      return {
        request,
        engine: 'fake',
        language: 'en',
        isSlow: false,
        settle(characters) {
          settled.push(characters)
          return { characters, nano: BigInt(characters) }
        },
      }
    },
    synthesize: (request) => pushStreamFrom(() => chunks(request)),
    workspaceId: 'workspace',
    keyId: 'key',
    agentId: 'agent',
    requestId: 'request',
    config,
    firstAudioDeadlineMs: 1_000,
    onSpoken: (characters) => void spoken.push(characters),
  })
  return { speech, settled, spoken, openBills }
}

test('a segment is paid for once, when it was played and not when it was synthesized', async () => {
  const { speech, settled, spoken, openBills } = openSpeech()
  openBills()
  const { chunks, settle } = speech.speakSegment(segment, { private: false })
  await chunks(() => {}, new AbortController().signal)
  expect([settled, speech.chargedNano()]).toEqual([[], 0n])
  settle('Hello'.length)
  settle(text.length)
  expect([settled, spoken, speech.chargedNano()]).toEqual([[5], [5], 5n])
})

test('a segment that is stopped before its bill is open costs nothing, and its reservation is released', async () => {
  const { speech, settled, spoken, openBills } = openSpeech()
  const { chunks, settle } = speech.speakSegment(segment, { private: false })
  const stop = new AbortController()
  const over = chunks(() => {}, stop.signal)
  settle(0)
  stop.abort()
  openBills()
  await expect(over).rejects.toThrow()
  await speech.allClosed()
  expect([settled, spoken, speech.chargedNano()]).toEqual([[0], [], 0n])
})
