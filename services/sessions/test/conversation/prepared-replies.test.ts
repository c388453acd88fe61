import fc from 'fast-check'
import type { LanguageModel, ReplyRequest } from '../../src/llm/language-model.js'
import { after, failure } from './fake-stages.js'
import { fakeTool } from './fake-tools.js'
import { conversation, fakeTime, type Talk } from './scenario.js'

fakeTime()

const text = 'What time is it?'
/** The user says this. Recognition at the end takes long, so that the reply is prepared by then. */
const asks = (setup: Parameters<typeof conversation>[0] = {}) =>
  conversation({ finishMs: 300, ...setup })
    .ready()
    .previews('what time is it')
    .user(text)

const effects = ({ recording }: Talk): string[] =>
  recording.steps.flatMap((step) => step.effects.map(({ effect }): string => effect))
const metricsOf = ({ kept }: Talk) => kept.turns.map(({ speculation, prepared_ms }) => [speculation, prepared_ms])

test('a reply that was prepared while the user paused is played as soon as the final text is there', async () => {
  const talk = await asks().replies('Nine o clock.').agent().agentIsDone().run()
  expect(talk.transcript()).toEqual(['user: What time is it?', 'agent: Nine o clock.'])
  expect(talk.states()).toEqual(['listening', 'thinking', 'speaking', 'listening'])
  expect(talk.llm.requests).toHaveLength(1)
  expect(talk.llm.requests[0]!.messages).toEqual([{ role: 'user', text: 'what time is it' }])
  const [metrics] = talk.kept.turns
  const { endpointing_ms, stt_ms, voice_to_voice_ms, llm_ttft_ms, tts_ttfa_ms, prepared_ms, speculation } = metrics!
  expect([speculation, stt_ms, llm_ttft_ms, tts_ttfa_ms]).toEqual(['hit', 300, 50, 40])
  expect(voice_to_voice_ms).toBe(endpointing_ms! + stt_ms!)
  // The preview came 160 ms after the end of the voice.
  expect(prepared_ms).toBeGreaterThan(endpointing_ms! + 300 - 160 - 30)
  expect(talk.kept.prepared).toEqual(['used'])
})

test('until the turn is over nothing of a prepared reply is sent, stored, counted or played', async () => {
  const talk = await asks()
    .replies('Nine o clock.')
    .pause(700)
    .look((talk) => {
      expect(talk.tts.asked).toEqual(['Nine o clock.'])
      expect(talk.events('transcript')).toEqual([])
      expect([talk.kept.messages, talk.kept.turns, talk.played.frames, talk.tts.settled]).toEqual([[], [], [], []])
      expect(talk.kept.usage.llm_input_tokens).toBe(0)
    })
    .agent()
    .agentIsDone()
    .run()
  expect(talk.kept.usage).toMatchObject({ llm_input_tokens: 10, tts_characters: 'Nine o clock.'.length })
})

test('only the first segment of a prepared reply is synthesized', async () => {
  await asks()
    .replies('Nine o clock in the morning. It is early. Shall we?')
    .pause(700)
    .look(({ tts }) => expect(tts.spoken.map(({ text }) => text)).toEqual(['Nine o clock in the morning.']))
    .agentIsDone()
    .look(({ tts }) => expect(tts.spoken).toHaveLength(3))
    .run()
})

test('a user who continues never hears the prepared reply, and it costs nothing', async () => {
  const talk = await conversation()
    .ready()
    .replies('One pizza.', 'One pizza and a beer.')
    .previews('I would like a pizza', 'I would like a pizza and a beer')
    .voice(600)
    .pause(400)
    .user('I would like a pizza and a beer.', 400)
    .agent()
    .agentIsDone()
    .run()
  expect(talk.transcript()).toEqual(['user: I would like a pizza and a beer.', 'agent: One pizza and a beer.'])
  expect(talk.tts.settled).toEqual([
    { text: 'One pizza.', characters: 0 },
    { text: 'One pizza and a beer.', characters: 21 },
  ])
  expect(talk.kept.usage.llm_input_tokens).toBe(10)
  expect(talk.kept.prepared).toEqual(['discarded', 'used'])
  expect(metricsOf(talk)).toEqual([['hit', expect.any(Number)]])
})

test('a final text with other words is answered anew', async () => {
  const talk = await asks()
    .replies('Never heard.', 'Half past nine.')
    .recognizes()
    .look(({ stt }) => {
      stt.texts[0] = 'What time is it in Rome?'
    })
    .agent()
    .agentIsDone()
    .run()
  expect(talk.transcript()).toEqual(['user: What time is it in Rome?', 'agent: Half past nine.'])
  expect(metricsOf(talk)).toEqual([['miss', null]])
  expect(talk.llm.requests.at(-1)!.messages).toEqual([{ role: 'user', text: 'What time is it in Rome?' }])
})

test('a context that changes after the preparation is answered anew, with the new context', async () => {
  const talk = await asks()
    .replies('Never heard.', 'Look.')
    .pause(400)
    .send({ event: 'context.update', text: 'The clock is open.' })
    .agent()
    .agentIsDone()
    .run()
  expect(talk.transcript().at(-1)).toBe('agent: Look.')
  expect(talk.llm.requests.at(-1)!.messages[0]).toEqual({ role: 'context', text: 'The clock is open.' })
  expect(metricsOf(talk)).toEqual([['miss', null]])
})

test.each([
  ['model', { replies: [{ text: 'Never', fails: failure('model') }, 'Nine.'], speechFails: [] }],
  ['voice', { replies: ['Never.', 'Nine.'], speechFails: [failure('speech')] }],
])('a %s that fails while the reply is prepared is tried again, and the client is sent no error', async (_, script) => {
  const talk = await asks()
    .replies(...script.replies)
    .speechFails(...script.speechFails)
    .agent()
    .agentIsDone()
    .run()
  expect(talk.errors()).toEqual([])
  expect(talk.transcript()).toEqual(['user: What time is it?', 'agent: Nine.'])
  expect(metricsOf(talk)).toEqual([['miss', null]])
})

test('a prepared reply that calls a tool waits for the end of the turn, and calls it once', async () => {
  const clock = fakeTool('clock')
  const talk = await asks({ tools: [clock] })
    .replies({ text: 'Let me look.', calls: ['clock'] }, 'It is nine.')
    .pause(700)
    .look(({ tts }) => {
      expect(tts.asked).toEqual(['Let me look.'])
      expect(clock.calls).toHaveLength(0)
    })
    .agent()
    .agentIsDone()
    .run()
  expect(clock.calls).toMatchObject([{ userText: 'What time is it?' }])
  expect(talk.transcript().at(-1)).toBe('agent: Let me look. It is nine.')
  expect(talk.kept.turns[0]!.speculation).toBe('hit')
})

test('a prepared reply whose tool was never called leaves no trace', async () => {
  const clock = fakeTool('clock')
  const talk = await asks({ tools: [clock] })
    .replies({ calls: ['clock'] }, 'Hello.')
    .pause(400)
    .voice(400)
    .agent()
    .agentIsDone()
    .run()
  expect(clock.calls).toHaveLength(0)
  expect(talk.kept.toolCalls).toEqual([])
  expect(talk.transcript()).toEqual(['user: What time is it?', 'agent: Hello.'])
})

test('a conversation that ends while a reply is prepared ends without it', async () => {
  const talk = await asks().replies('Never heard.').pause(400).end('drained', 5000).pause(400).run()
  expect(talk.transcript()).toEqual([])
  expect(talk.kept.prepared).toEqual(['discarded'])
})

test('with preemptive turned off no preview is requested', async () => {
  const talk = await asks({ turn: { preemptive: false } })
    .agent()
    .agentIsDone()
    .run()
  expect(effects(talk)).not.toContain('recognition.preview')
  expect(metricsOf(talk)).toEqual([['none', null]])
})

/** Answers the n-th request that begins a reply with `Reply n.`, in two sentences, after a call of `tool` where it is due. */
const createNumberedModel = (callsAt: readonly boolean[]) => {
  const begun: ReplyRequest[] = []
  const model: LanguageModel = {
    async *reply(request, signal) {
      const followsTool = request.messages.at(-1)?.role === 'calls'
      const number = followsTool ? begun.length : begun.push(request)
      await after(40, signal)
      yield { event: 'text', text: `Reply ${number}. And the rest of it.` }
      await after(20, signal)
      if (request.mayCall && !followsTool && callsAt[number % callsAt.length])
        yield { event: 'call', call: { id: `call_${number}`, name: 'tool', arguments: { number } } }
      yield { event: 'done', inputTokens: 1, outputTokens: 1 }
    },
  }
  return { model, begun }
}

/** Which replies were discarded, by the numbers of their requests, and when each turn became the agent's. */
const outcomesOf = ({ recording, kept }: Talk) => {
  const discarded = new Set<number>()
  const begunAtMs = new Map<number, number>()
  const outcomes = [...kept.prepared]
  let requests = 0
  let prepared = 0
  for (const step of recording.steps) {
    for (const effect of step.effects) {
      if (effect.effect === 'reply.prepare') prepared = ++requests
      if (effect.effect === 'reply.discard') {
        expect(outcomes.shift()).toBe('discarded')
        discarded.add(prepared)
      }
      if (effect.effect === 'reply.commit' && outcomes.shift() === 'discarded') {
        discarded.add(prepared)
        requests += 1
      }
      if (effect.effect === 'reply') requests += 1
      if (effect.effect === 'reply' || effect.effect === 'reply.commit') begunAtMs.set(effect.turn, step.atMs)
    }
  }
  if (outcomes.length > 0) discarded.add(prepared)
  expect(outcomes.length).toBeLessThanOrEqual(1)
  return { discarded, begunAtMs, requests }
}

const ms = fc.integer({ min: 1, max: 40 }).map((frames) => frames * 20)
/** The texts of a preview and of the end of an utterance. */
const texts = fc.constantFrom('Yes', 'yes!', 'Yes, one.', 'and', '', undefined)
const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ name: fc.constant('voice' as const), ms }) },
  { weight: 6, arbitrary: fc.record({ name: fc.constant('pause' as const), ms }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constantFrom('types' as const, 'interrupts' as const) }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('context' as const), text: fc.constantFrom('a', 'b') }) },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('partial' as const), text: fc.constantFrom('Yes', 'No') }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('speechFails' as const) }) },
)

test('for any course of a conversation, a discarded reply is never heard, and no tool runs before its turn or twice', async () => {
  let used = 0
  let dropped = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 100, 300),
      fc.array(texts, { minLength: 1, maxLength: 8 }),
      fc.array(texts, { minLength: 1, maxLength: 8 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
      fc.array(action, { maxLength: 25 }),
      async (finishMs, previews, finals, callsAt, actions) => {
        const { model, begun } = createNumberedModel(callsAt)
        const tool = fakeTool('tool', { ms: 30 })
        let scenario = conversation({ finishMs, model, tools: [tool], turn: { endpointing_min_ms: 300 } })
          .ready()
          .previews(...previews)
          .recognizes(...finals)
        for (const act of actions) {
          if (act.name === 'voice') scenario = scenario.voice(act.ms)
          if (act.name === 'pause') scenario = scenario.pause(act.ms)
          if (act.name === 'types') scenario = scenario.types('Hello.')
          if (act.name === 'interrupts') scenario = scenario.send({ event: 'interrupt' })
          if (act.name === 'context') scenario = scenario.send({ event: 'context.update', text: act.text })
          if (act.name === 'partial') scenario = scenario.partial(act.text)
          if (act.name === 'speechFails') scenario = scenario.speechFails(failure('speech'))
        }
        const talk = await scenario.run()
        const { discarded, begunAtMs, requests } = outcomesOf(talk)
        expect(begun).toHaveLength(requests)

        const heard = new Set(talk.played.frames.map(({ sample }) => sample))
        for (const number of discarded) {
          const isIts = ({ text }: { readonly text: string }) => text.includes(`Reply ${number}.`)
          expect([...talk.events('transcript'), ...talk.kept.messages].filter(isIts)).toEqual([])
          talk.tts.asked.forEach((text, index) => {
            if (!isIts({ text })) return
            expect(heard.has(index + 1)).toBe(false)
            expect(talk.tts.settled[index]!.characters).toBe(0)
          })
        }
        const calls = tool.calls.map(({ args }) => (args as { readonly number: number }).number)
        expect(new Set(calls).size).toBe(calls.length)
        expect(calls.filter((number) => discarded.has(number))).toEqual([])
        for (const { turn, atMs } of tool.calls) expect(atMs).toBeGreaterThanOrEqual(begunAtMs.get(turn)!)
        expect(talk.kept.usage.llm_output_tokens).toBeLessThanOrEqual(begun.length - discarded.size + calls.length)
        used += talk.kept.prepared.filter((outcome) => outcome === 'used').length
        dropped += discarded.size
      },
    ),
    { numRuns: 60 },
  )
  expect(used).toBeGreaterThan(0)
  expect(dropped).toBeGreaterThan(0)
})
