import { pushStreamFrom } from '@parlance/async/push-stream'
import { agentConfigSchema, ServiceError, type SynthesisChunk, type SynthesisRequest } from '@parlance/contracts'
import fc from 'fast-check'
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

/**
 * Speech whose bills open when `openBills` is called, at one billionth for each character. Each bill has the characters that were
 * reserved, and those that were paid. `credit` is for how many characters there is credit.
 */
const openSpeech = ({ credit = Number.POSITIVE_INFINITY } = {}) => {
  const bills: { readonly reserved: number; paid: number | undefined }[] = []
  const spoken: number[] = []
  let left = credit
  let openBills = () => {}
  const opens = new Promise<void>((resolve) => {
    openBills = resolve
  })
  const speech = createSessionSpeech({
    async openBill({ request, characters }) {
      await opens
      if (characters > left) throw new ServiceError('insufficient_credit', 'There is not enough credit left for this.')
      left -= characters
      const bill = { reserved: characters, paid: undefined as number | undefined }
      bills.push(bill)
      return {
        request,
        engine: 'fake',
        language: 'en',
        isSlow: false,
        settle(paid) {
          expect(bill.paid).toBeUndefined()
          expect(paid).toBeLessThanOrEqual(characters)
          bill.paid = paid
          left += characters - paid
          return { characters: paid, nano: BigInt(paid) }
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
  const speak = (length = text.length) => {
    const { chunks, settle } = speech.speakSegment({ text: 'x'.repeat(length), speakable: true }, { private: false })
    return { settle, spoken: chunks(() => {}, new AbortController().signal) }
  }
  return { speech, speak, bills, spoken, openBills, paid: () => bills.map(({ paid }) => paid) }
}

test('a segment is paid for once, when it was played and not when it was synthesized', async () => {
  const { speech, speak, paid, spoken, openBills } = openSpeech()
  openBills()
  const segment = speak()
  await segment.spoken
  expect([paid(), speech.chargedNano()]).toEqual([[undefined], 0n])
  segment.settle('Hello'.length)
  segment.settle(text.length)
  await speech.allClosed()
  expect([paid(), spoken, speech.chargedNano()]).toEqual([[5], [5], 5n])
})

test('a segment that is stopped before its bill is open costs nothing, and its reservation is released', async () => {
  const { speech, paid, spoken, openBills } = openSpeech()
  const { chunks, settle } = speech.speakSegment(segment, { private: false })
  const stop = new AbortController()
  const over = chunks(() => {}, stop.signal)
  settle(0)
  stop.abort()
  openBills()
  await expect(over).rejects.toThrow()
  await speech.allClosed()
  expect([paid(), spoken, speech.chargedNano()]).toEqual([[0], [], 0n])
})

test('the segments of a reply share one reservation, which is settled when the last of them is', async () => {
  const { speech, speak, bills, openBills } = openSpeech()
  openBills()
  const [first, second] = [speak(40), speak(60)]
  first.settle(40)
  const third = speak(100)
  second.settle(60)
  await third.spoken
  await speech.allClosed()
  expect(bills).toEqual([{ reserved: 1_000, paid: undefined }])
  third.settle(30)
  await speech.allClosed()
  expect([bills, speech.chargedNano()]).toEqual([[{ reserved: 1_000, paid: 130 }], 130n])
})

test('where there is no credit for a whole reply, what there is pays for segment after segment', async () => {
  const { speech, speak, paid, openBills } = openSpeech({ credit: 100 })
  openBills()
  const first = speak(60)
  await first.spoken
  const second = speak(40)
  await second.spoken
  await expect(speak(10).spoken).rejects.toMatchObject({ code: 'insufficient_credit' })
  first.settle(60)
  second.settle(40)
  await speech.allClosed()
  expect([paid(), speech.chargedNano()]).toEqual([[60, 40], 100n])
})

test('in any order of segments, what is paid is what was played, and no reservation is left', async () => {
  const segments = fc.array(
    fc.record({ length: fc.integer({ min: 1, max: 700 }), played: fc.double({ min: 0, max: 1, noNaN: true }) }),
    { maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(
      segments,
      fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
      fc.constantFrom(0, 500, 1_500, Number.POSITIVE_INFINITY),
      fc.boolean(),
      async (planned, order, credit, opensLate) => {
        const { speech, speak, bills, spoken, openBills } = openSpeech({ credit })
        if (!opensLate) openBills()
        const waiting: { readonly settle: () => void }[] = []
        let played = 0
        for (const { length, played: share } of planned) {
          const each = speak(length)
          // The audio of a segment without a bill is never played.
          let isPaid = false
          void each.spoken.then(
            () => {
              isPaid = true
            },
            () => undefined,
          )
          waiting.push({
            settle() {
              const characters = isPaid ? Math.round(length * share) : 0
              played += characters
              each.settle(characters)
            },
          })
          if (order.next().value > 0) await new Promise(setImmediate)
          while (waiting.length > order.next().value) waiting.shift()!.settle()
        }
        openBills()
        await new Promise(setImmediate)
        for (const { settle } of waiting) settle()
        await speech.allClosed()
        expect(bills.every(({ paid }) => paid !== undefined)).toBe(true)
        expect(bills.reduce((sum, { paid }) => sum + paid!, 0)).toBe(played)
        expect(speech.chargedNano()).toBe(BigInt(played))
        expect(spoken.reduce((sum, characters) => sum + characters, 0)).toBe(played)
        expect(bills.length).toBeLessThanOrEqual(planned.length)
      },
    ),
    { numRuns: 200 },
  )
})
