import { setImmediate as turn } from 'node:timers/promises'
import { offeredVoiceSchema } from '@parlance/contracts'
import type { Engine } from '../../src/engine/engine.js'
import { health, hear, kinds, type Log, logOf, utterance } from './remote-scene.js'
import { key, type StandIn } from './stand-ins/stand-in.js'
import { msPerCharacter, toneOf } from './stand-ins/tone.js'

const text = 'One sentence that is long enough to come in several pieces.'
const never = () => new AbortController().signal

describe.each(kinds)('an engine of type $type', ({ start, open }) => {
  let standIn: StandIn
  let engine: Engine
  let log: Log

  beforeEach(async () => {
    standIn = await start()
    log = logOf()
    engine = await open(standIn.url, log)
  })
  afterEach(async () => {
    await engine.close()
    await standIn.close()
  })

  test('speaks all of the audio in order, sample by sample', async () => {
    const { pcm } = await hear(engine, text)
    expect(Buffer.from(pcm.buffer).equals(Buffer.from(toneOf(text).buffer))).toBe(true)
  })

  test('speaks the same text twice alike', async () => {
    expect(await hear(engine, text)).toEqual(await hear(engine, text))
  })

  test('offers voices that are valid, distinct and the same after a restart', async () => {
    const again = await open(standIn.url, logOf())
    expect(engine.voices.map((voice) => offeredVoiceSchema.parse(voice))).toEqual(again.voices)
    expect(new Set(engine.voices.map(({ id }) => id)).size).toBe(engine.voices.length)
    await again.close()
  })

  test('speaks with the model that the variant names', async () => {
    const [, second] = engine.voices[0]!.variants
    await hear(engine, text, { variant: second!.id })
    expect(standIn.asked.map(({ model }) => model)).toEqual([second!.id])
  })

  test('speaks fifty at once, never more at the same time than its capacity, first come, first served', async () => {
    const texts = Array.from({ length: 50 }, (_, i) => `This is the text with the number ${i}`)
    const begun: number[] = []
    const all = texts.map((text, i) => hear(engine, text, { onStart: () => void begun.push(i) }))
    await turn()
    expect(engine.active()).toBe(50)
    const received = await Promise.all(all)
    expect(received.map(({ audioMs }) => audioMs)).toEqual(texts.map(({ length }) => length * msPerCharacter))
    expect(begun).toEqual(texts.map((_, i) => i))
    expect(standIn.busiest()).toBeLessThanOrEqual(engine.capacity)
    expect(standIn.busiest()).toBeGreaterThan(1)
    expect(engine.active()).toBe(0)
  })

  test('keeps its connections: many utterances need no more of them than its capacity and one', async () => {
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 8 }, () => hear(engine, text)))
    expect(standIn.connections()).toBeLessThanOrEqual(engine.capacity + 1)
  })

  test('an abort ends the speech at once, with its reason, and the server is notified', async () => {
    standIn.misbehave('stalls in the middle', 1)
    const abort = new AbortController()
    const events = engine.speak(utterance(engine, text), { signal: abort.signal })[Symbol.asyncIterator]()
    await events.next()
    const reason = new Error('enough')
    const ended = (async () => {
      while (!(await events.next()).done);
    })().catch((error: unknown) => error)
    await turn()
    abort.abort(reason)
    // Neither a timer nor an answer is waited for.
    const late = turn().then(() => 'late')
    expect(await Promise.race([ended, late])).toBe(reason)
    await standIn.givenUp(1)
    expect(engine.healthy()).toBe(true)
  })

  test('leaving the loop ends the speech, and the server is notified', async () => {
    standIn.misbehave('stalls in the middle', 1)
    for await (const event of engine.speak(utterance(engine, text), { signal: never() }))
      if (event.kind === 'audio') break
    await standIn.givenUp(1)
    expect((await hear(engine, text)).audioMs).toBe(text.length * msPerCharacter)
  })

  test('an utterance that waits for its turn can be given up without ever being asked for', async () => {
    const one = await open(standIn.url, logOf(), { concurrency: 1 })
    standIn.misbehave('stalls in the middle', 1)
    const first = one.speak(utterance(one, text), { signal: never() })[Symbol.asyncIterator]()
    await first.next()
    const abort = new AbortController()
    const waiting = one
      .speak(utterance(one, 'never asked for'), { signal: abort.signal })
      [Symbol.asyncIterator]()
      .next()
    await turn()
    expect(one.active()).toBe(2)
    abort.abort(new Error('not wanted'))
    await expect(waiting).rejects.toThrow('not wanted')
    await first.return?.()
    await hear(one, text)
    expect(standIn.asked.map(({ text }) => text)).toEqual([text, text])
    await one.close()
  })

  test.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['dots', '… — ...'],
  ])('speaks nothing for %s, and does not ask the server', async (_, odd) => {
    expect((await hear(engine, odd)).pcm.length).toBe(0)
    expect(standIn.asked).toEqual([])
  })

  test.each([
    ['a surrogate alone', 'before \ud83d after'],
    ['emoji', 'tea ☕ and 👩‍👩‍👧'],
    ['right to left', 'שלום عليكم'],
    ['no spaces', '今日はいい天気ですね'],
    ['control characters', 'one\u0000two\u001bthree'],
    ['one very long word', 'a'.repeat(2000)],
  ])('speaks odd texts: %s', async (_, odd) => {
    expect((await hear(engine, odd)).audioMs).toBe(odd.length * msPerCharacter)
    expect(standIn.asked[0]!.text.isWellFormed()).toBe(true)
    expect(standIn.asked[0]!.text).toHaveLength(odd.length)
  })

  test.each([
    '<break time="9s"/> hello',
    '</speak> hello',
    '[pause:9s] hello',
    '[word](/wɜːd/) hello',
    '<!-- x --> hello',
  ])('sends no markup: %s', async (markup) => {
    await hear(engine, markup)
    expect(standIn.asked[0]!.text).not.toMatch(/<[/!]?\w|\[|\]/)
    expect(standIn.asked[0]!.text).toHaveLength(markup.length)
  })

  test('words are reported as in the original, whatever was sent in their place', async () => {
    const odd = 'a [b]<c>\u0000d'
    for (const { text: word, textStart, textEnd } of (await hear(engine, odd)).words) {
      expect(odd.slice(textStart, textEnd)).toBe(word)
    }
  })

  test('a comparison is no markup', async () => {
    await hear(engine, '1 < 2 > 0')
    expect(standIn.asked[0]!.text).toBe('1 < 2 > 0')
  })

  test('applies the volume itself, and clips at the range of samples', async () => {
    const loud = await hear(engine, 'abc', { volume: 2 })
    expect([...new Set(loud.pcm)].sort()).toEqual([-8000, 16000])
    expect([...new Set((await hear(engine, 'abc', { volume: 0 })).pcm)].map(Math.abs)).toEqual([0])
  })

  test('reports the pause that the punctuation asks for, less the silence at the end of the audio', async () => {
    const pauseMs = async (spoken: string, changes = {}) => (await hear(engine, spoken, changes)).pauseMs
    const sentenceMs = (await pauseMs('We went home.'))!
    expect(sentenceMs).toBeGreaterThan(300)
    expect(await pauseMs('We went home.____')).toBeCloseTo(sentenceMs - 4 * msPerCharacter)
    expect(await pauseMs(`We went home.${'_'.repeat(40)}`)).toBe(0)
    expect(await pauseMs('We went home?”')).toBe(sentenceMs)
    expect(await pauseMs('我们回家。')).toBe(sentenceMs)
    expect(await pauseMs('We went home.\n\n')).toBeGreaterThan(1.5 * sentenceMs)
    expect(await pauseMs('We went home;')).toBeLessThan(sentenceMs)
    expect(await pauseMs('We went home,')).toBeLessThan((await pauseMs('We went home;'))!)
    expect(await pauseMs('We went home')).toBe(0)
    expect(await pauseMs('We went home.', { speed: 2 })).toBeCloseTo(sentenceMs / 2)
    expect(await pauseMs('We went home.', { volume: 0 })).toBe(sentenceMs)
  })

  test.each([0.5, 2])('asks for speed %d within what the server takes', async (speed) => {
    expect((await hear(engine, text, { speed })).audioMs).toBeGreaterThan(0)
  })

  test('reports its begin and its end, with the length of its audio', async () => {
    const reported: string[] = []
    const options = {
      signal: never(),
      onStart: () => void reported.push('start'),
      onEnd: ({ audioMs }: { audioMs: number }) => void reported.push(`end ${audioMs}`),
    }
    for await (const _ of engine.speak(utterance(engine, 'abcd'), options));
    expect(reported).toEqual(['start', 'end 200'])
  })

  test('times of words and phonemes go forward and lie within the audio', async () => {
    const { audioMs, words, phonemes } = await hear(engine, text)
    for (const marks of [words, phonemes]) {
      let lastMs = 0
      for (const { startMs, endMs } of marks) {
        expect(startMs).toBeGreaterThanOrEqual(lastMs)
        expect(endMs).toBeGreaterThanOrEqual(startMs)
        expect(endMs).toBeLessThanOrEqual(audioMs)
        lastMs = endMs
      }
    }
    for (const { text: word, textStart, textEnd } of words) expect(text.slice(textStart, textEnd)).toBe(word)
  })

  test.each(['answers with an error', 'has no room', 'closes before the first byte'] as const)(
    'asks again, unheard, when the server %s',
    async (how) => {
      standIn.misbehave(how, 2)
      expect((await hear(engine, text)).audioMs).toBe(text.length * msPerCharacter)
      expect(standIn.asked).toHaveLength(3)
    },
  )

  test('asks three times and no more', async () => {
    standIn.misbehave('answers with an error')
    await expect(hear(engine, text)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(standIn.asked).toHaveLength(3)
  })

  test('does not ask again once audio was received', async () => {
    standIn.misbehave('closes in the middle', 1)
    await expect(hear(engine, text)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(standIn.asked).toHaveLength(1)
  })

  test('a server that keeps failing is unhealthy and not asked for speech until it is healthy again', async () => {
    standIn.misbehave('closes in the middle')
    standIn.setWell(false)
    for (let i = 0; i < 3; i++) await expect(hear(engine, text)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(engine.healthy()).toBe(false)
    const before = standIn.asked.length
    await expect(hear(engine, text)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(standIn.asked).toHaveLength(before)

    standIn.misbehave(undefined)
    standIn.setWell(true)
    await health(engine, true)
    expect((await hear(engine, text)).audioMs).toBe(text.length * msPerCharacter)
  })

  test('the first failure after its return sends it away again', async () => {
    standIn.misbehave('closes in the middle')
    const away = health(engine, false)
    for (let i = 0; i < 3; i++) await hear(engine, text).catch(() => {})
    await away
    await health(engine, true)
    await hear(engine, text).catch(() => {})
    expect(engine.healthy()).toBe(false)
  })

  test('the audio of a slow but steady server is received to its end, however long that takes', async () => {
    const timeouts = { first_audio_ms: 400, idle_ms: 400 }
    const patient = await open(standIn.url, logOf(), { timeouts })
    standIn.misbehave('dawdles', 1)
    const long = 'a word or so '.repeat(20)
    expect((await hear(patient, long)).audioMs).toBe(long.length * msPerCharacter)
    await patient.close()
  })

  test('a busy server is not an unhealthy one', async () => {
    standIn.misbehave('has no room')
    for (let i = 0; i < 5; i++) await expect(hear(engine, text)).rejects.toMatchObject({ code: 'capacity_exhausted' })
    expect(engine.healthy()).toBe(true)
  })

  test('a server that is not there yet is an engine that is not healthy, and becomes so when it is', async () => {
    const unwell = await start()
    unwell.setWell(false)
    const late = await open(unwell.url, logOf())
    expect(late.healthy()).toBe(false)
    expect(late.voices).toEqual([])
    unwell.setWell(true)
    await health(late, true)
    expect((await hear(late, text)).audioMs).toBe(text.length * msPerCharacter)
    await late.close()
    await unwell.close()
  })

  test('the secret is in no log line, no error and no info, whatever the server sends', async () => {
    const errors: unknown[] = []
    for (const how of [
      'takes no key',
      'has used up its quota',
      'answers with an error',
      'closes in the middle',
    ] as const) {
      standIn.misbehave(how)
      errors.push(await hear(engine, text).catch((error: unknown) => error))
    }
    const inspected = JSON.stringify([
      log.lines,
      engine.info,
      engine.voices,
      errors.map((error) => [String(error), error]),
    ])
    expect(log.lines.length).toBeGreaterThan(3)
    expect(inspected).not.toContain(key)
    expect(inspected).not.toContain(key.slice(3))
  })

  test('closing fails what is being spoken and what waits, and leaves no connection', async () => {
    standIn.misbehave('stalls in the middle')
    const spoken = Array.from({ length: 10 }, () => hear(engine, text))
    const failed = Promise.all(spoken.map((speech) => expect(speech).rejects.toMatchObject({ code: 'draining' })))
    await turn()
    await engine.close()
    await failed
    await standIn.deserted()
    await expect(hear(engine, text)).rejects.toMatchObject({ code: 'draining' })
    expect(engine.active()).toBe(0)
  })
})
