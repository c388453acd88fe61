import { setImmediate as turn } from 'node:timers/promises'
import { offeredVoiceSchema } from '@parlance/contracts'
import { msPerCharacter, type SpeechStandIn, toneOf } from '@parlance/testing/stand-ins'
import type { Engine } from '../../src/engine/engine.js'
import { hear, kinds, logOf, utterance } from './remote-scene.js'

const text = 'One sentence that is long enough to come in several pieces.'
const never = () => new AbortController().signal

describe.each(kinds)('an engine of type $type', ({ start, open }) => {
  let standIn: SpeechStandIn
  let engine: Engine

  beforeEach(async () => {
    standIn = await start()
    engine = await open(standIn.url, logOf())
  })
  afterEach(async () => {
    await engine.close()
    await standIn.close()
  })

  test('speaks all of the audio in order, sample by sample', async () => {
    const { pcm } = await hear(engine, text)
    expect(Buffer.from(pcm.buffer).equals(Buffer.from(toneOf(text).buffer))).toBe(true)
  })

  test('begins with at most 10 ms of silence, which moves the times of words and phonemes', async () => {
    const plain = await hear(engine, 'Hello there, Ada.')
    // The server sends 600 ms of silence first.
    const late = await hear(engine, `${'_'.repeat(12)}Hello there, Ada.`)
    expect(late.pcm.findIndex((sample) => sample !== 0)).toBe(engine.sampleRateHz / 100)
    expect(late.audioMs).toBe(plain.audioMs + 10)
    const timesOf = ({ words }: typeof late) => words.map(({ startMs, endMs }) => ({ startMs, endMs }))
    const moved = timesOf(plain).map(({ startMs, endMs }) => ({ startMs: startMs + 10, endMs: endMs + 10 }))
    // The silence may count as a part of the first word.
    expect(timesOf(late).slice(1)).toEqual(moved.slice(1))
    expect(late.phonemes.every(({ startMs, endMs }) => startMs >= 0 && endMs <= late.audioMs)).toBe(true)
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
    expect(standIn.openConnections()).toBeLessThanOrEqual(engine.capacity + 1)
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
    // The speech ends without a timer and without an answer.
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

  test('an utterance that waits can be aborted without a request to the server', async () => {
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

  test('closing fails what is being spoken and what waits, and leaves no connection', async () => {
    standIn.misbehave('stalls in the middle')
    const spoken = Array.from({ length: 10 }, () => hear(engine, text))
    const failed = Promise.all(spoken.map((speech) => expect(speech).rejects.toMatchObject({ code: 'draining' })))
    await turn()
    await engine.close()
    await failed
    await standIn.allClosed()
    await expect(hear(engine, text)).rejects.toMatchObject({ code: 'draining' })
    expect(engine.active()).toBe(0)
  })
})
