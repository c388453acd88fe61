import { once } from 'node:events'
import type { SynthesisRequest } from '@parlance/contracts'
import { cutText } from '@parlance/speech'
import { chunksOf, spoken } from './spoken-words.js'
import { createGate, end, errorOf, gateway, paidCharacters, ready, start, text, useGateway } from './stream-scene.js'

useGateway()

describe('a context', () => {
  test('speaks text that arrives in pieces, on one clock, and reports its cost', async () => {
    const client = await ready()
    client.send({ ...start, alignment: ['word'] })
    expect(await client.next('started')).toMatchObject({ context_id: 'default', context_index: 1 })
    for (const piece of ['Hel', 'lo the', 're. How are', ' you to', 'day? Fine.']) client.send(text(piece))
    client.send(end)
    const done = await client.next('done')
    const whole = 'Hello there. How are you today? Fine.'
    expect(client.audioOf().toString().trim()).toBe(whole)
    expect(done).toMatchObject({ characters_billed: whole.length, audio_duration_ms: 700 })
    expect(client.of('audio').map(({ seq, start_ms }) => [seq, start_ms])).toEqual(
      Array.from({ length: 7 }, (_, n) => [n, n * 100]),
    )
    expect(
      client
        .of('alignment')
        .flatMap(({ words }) => words.map(({ text }) => text))
        .join(' '),
    ).toBe(whole)
    expect(client.of('alignment').at(-1)!.words.at(-1)).toMatchObject({ start_ms: 600, end_ms: 700 })
    expect(await paidCharacters()).toBe(whole.length)
  })

  test('fails when the voice can say nothing of its text, and costs nothing', async () => {
    const client = await ready()
    client.send(start)
    for (const piece of ['👍! ', 'مرحبا. ', 'شكرا']) client.send(text(piece))
    client.send(end)
    const error = await client.next('error')
    expect(error).toMatchObject({ context_id: 'default', code: 'text_not_speakable', retryable: false })
    expect(error.detail).toContain('Ada speaks en')
    expect(gateway.fakes.lastRequest).toBeUndefined()
    expect(gateway.reserver.holds).toEqual([])
  })

  test('speaks what the voice can say together with the text before it', async () => {
    const client = await ready()
    client.send(start)
    for (const piece of ['مرحبا. ', '👍! ', 'Hello there. Bye.']) client.send(text(piece))
    client.send(end)
    const { characters_billed: billed } = await client.next('done')
    expect(gateway.fakes.lastRequest).toBeDefined()
    expect(client.audioOf().toString()).toContain('Hello there. ')
    expect(billed).toBe([...'مرحبا. 👍! Hello there. Bye.'].length)
    expect(await paidCharacters()).toBe(billed)
  })

  test('returns text of which the voice can say nothing as text that remains', async () => {
    const client = await ready()
    client.send(start)
    client.send(text('مرحبا. '))
    client.send({ event: 'cancel' })
    expect(await client.next('cancelled')).toMatchObject({ text_spoken: '', text_remaining: 'مرحبا. ' })
  })

  test('sends binary frames on request', async () => {
    const client = await ready()
    client.send({ ...start, context_id: 'first' })
    client.send({ ...start, context_id: 'second', audio_frames: 'binary', output: { format: 'ulaw' } })
    client.send(text('Two words.', 'second'))
    client.send({ event: 'end', context_id: 'second' })
    await client.next('done', 'second')
    expect(client.of('audio', 'second')).toEqual([])
    const frames = client.frames.map((frame) => ({
      header: [
        frame.readUInt8(0),
        frame.readUInt8(1),
        frame.readUInt16BE(2),
        frame.readUInt32BE(4),
        frame.readUInt32BE(8),
      ],
      audio: frame.subarray(12).toString(),
    }))
    expect(frames).toEqual([
      { header: [1, 1, 2, 0, 0], audio: 'Two ' },
      { header: [1, 1, 2, 1, 100], audio: 'words. ' },
    ])
  })

  test('a character that is split over two messages is spoken', async () => {
    const client = await ready()
    client.send(start)
    client.send('{"event":"text","text":"A smile \\ud83d"}')
    client.send('{"event":"text","text":"\\ude00 here."}')
    client.send(end)
    await client.next('done')
    expect(client.audioOf().toString()).toBe('A smile 😀 here. ')
  })

  test('requests its first audio with the purpose stream, and the rest as a continuation', async () => {
    const purposes: unknown[] = []
    gateway.fakes.synthesize = (request) => {
      purposes.push(request.purpose)
      return spoken(request)
    }
    const client = await ready()
    client.send(start)
    for (const words of ['One.', 'Two.', 'Three.']) {
      client.send(text(words))
      client.send({ event: 'flush', flush_id: words })
      await client.find(() => client.of('flushed').find(({ flush_id }) => flush_id === words))
    }
    expect(purposes).toEqual(['stream', 'continuation', 'continuation'])
  })

  test('sends "flushed" when everything before the flush was sent', async () => {
    const gate = createGate()
    gateway.fakes.synthesize = (request, context) => gate.synthesize(request, context)
    const client = await ready()
    client.send(start)
    client.send({ event: 'flush', flush_id: 'nothing' })
    await client.next('flushed')
    client.send(text('no end in sight'))
    client.send({ event: 'flush', flush_id: 'f1' })
    await client.next('audio')
    expect(client.of('flushed')).toHaveLength(1)
    gate.letGo()
    expect(await client.next('flushed', 'default', 1)).toMatchObject({ flush_id: 'f1' })
    expect(client.audioOf().toString()).toBe('no end in sight ')
    expect(client.of('done')).toEqual([])
  })

  test('flushes text that the client neither ends nor flushes', async () => {
    const client = await ready()
    client.send(start)
    client.send(text('and then'))
    await client.next('audio')
    client.send({ ...start, context_id: 'verbatim', buffering: { mode: 'none' } })
    client.send(text('as given', 'verbatim'))
    await client.next('audio', 'verbatim')
  })

  test('that is cancelled stops at once, reports the played text, and is charged for the sent audio', async () => {
    const gate = createGate()
    gateway.fakes.synthesize = (request, context) => gate.synthesize(request, context)
    const client = await ready()
    client.send({ ...start, context_id: 'turn-7' })
    client.send(text('The first is over. The second is not, and', 'turn-7'))
    gate.letGo()
    await client.next('audio', 'turn-7', 4)
    client.send({ event: 'cancel', context_id: 'turn-7', played_ms: 200 })
    expect(await client.next('cancelled')).toEqual({
      event: 'cancelled',
      context_id: 'turn-7',
      characters_billed: 'The first is over. The second'.length,
      text_spoken: 'The first',
      text_remaining: ' is over. The second is not, and',
    })
    const sent = client.messages.length
    client.send({ ...start, context_id: 'turn-7' })
    expect(await client.next('started', 'turn-7', 1)).toMatchObject({ context_index: 2 })
    expect(client.messages.slice(sent).filter(({ event }) => event === 'audio')).toEqual([])
    expect(await paidCharacters()).toBe('The first is over. The second'.length)
  })

  test('requests simultaneous sentences together, and when it is cancelled pays for those that were sent, up to a word', async () => {
    const asked: SynthesisRequest[] = []
    gateway.fakes.synthesize = async function* (request, { signal }) {
      asked.push(request)
      for (const chunk of chunksOf(request)) {
        yield chunk
        // Only the first word of the third sentence has been sent.
        if (chunk.event === 'audio' && chunk.segment === 2) return void (await once(signal, 'abort'))
      }
    }
    const client = await ready()
    // The text after the third sentence waits for more.
    const buffering = { mode: 'auto', max_delay_ms: 5_000 }
    client.send({ ...start, context_id: 'turn-8', alignment: ['word'], buffering })
    client.send(text('All of this is sent. So is this. Half of this is, and none of that. Nor of that.', 'turn-8'))
    await client.next('audio', 'turn-8', 8)
    client.send({ event: 'cancel', context_id: 'turn-8' })
    const { characters_billed } = await client.next('cancelled', 'turn-8')
    expect(characters_billed).toBe('All of this is sent. So is this. Half'.length)
    expect(client.of('audio', 'turn-8').map(({ segment }) => segment)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 2])
    expect(asked.map(({ text, cuts }) => cutText(text, cuts!))).toEqual([
      ['All of this is sent.', ' So is this.', ' Half of this is, and none of that.'],
    ])
    expect(await paidCharacters()).toBe(characters_billed)
  })

  test('an error in one context does not affect the others', async () => {
    gateway.fakes.synthesize = (request, { fail }) =>
      request.text.includes('bad') ? fail('upstream_error', 'The engine broke.') : spoken(request)
    const client = await ready()
    for (const id of ['a', 'b']) client.send({ ...start, context_id: id })
    client.send(text('This is bad.', 'a'))
    client.send(text('This is good.', 'b'))
    for (const context_id of ['a', 'b']) client.send({ event: 'end', context_id })
    await client.next('done', 'b')
    expect(errorOf(await client.next('error'))).toEqual(['upstream_error', 'a'])
    expect(client.of('done', 'a')).toEqual([])
    expect(gateway.reserver.holds.map(({ endings }) => endings.length)).toEqual([1, 1])
  })

  test('ends with an error when its workspace has no credit', async () => {
    const client = await ready()
    gateway.reserver.refuseWith = 'insufficient_credit'
    client.send({ ...start, context_id: 'poor' })
    client.send(text('Hello.', 'poor'))
    client.send({ event: 'end', context_id: 'poor' })
    expect(errorOf(await client.next('error'))).toEqual(['insufficient_credit', 'poor'])
    gateway.reserver.refuseWith = undefined
    client.send({ ...start, context_id: 'poor' })
    await client.next('started', 'poor', 1)
  })

  test('is refused beyond ten contexts, or with an id that is open', async () => {
    const client = await ready()
    for (let n = 0; n < 10; n++) client.send({ ...start, context_id: `c${n}` })
    client.send({ ...start, context_id: 'eleventh' })
    expect(errorOf(await client.next('error'))).toEqual(['too_many_contexts', 'eleventh'])
    client.send({ ...start, context_id: 'c3' })
    expect(errorOf(await client.next('error', undefined, 1))).toEqual(['context_exists', 'c3'])
    client.send({ event: 'end', context_id: 'c3' })
    await client.next('done', 'c3')
    client.send({ ...start, context_id: 'c3' })
    expect(await client.next('started', 'c3', 1)).toMatchObject({ context_index: 11 })
  })

  test('accepts no text after its end', async () => {
    const gate = createGate()
    gateway.fakes.synthesize = (request, context) => gate.synthesize(request, context)
    const client = await ready()
    client.send(start)
    client.send(text('All of it.'))
    client.send(end)
    client.send(text('More.'))
    expect(errorOf(await client.next('error'))).toEqual(['invalid_request', 'default'])
    gate.letGo()
    expect(await client.next('done')).toMatchObject({ characters_billed: 10 })
  })

  test('accepts text up to its limits, and no control characters', async () => {
    const gate = createGate()
    gateway.fakes.synthesize = (request, context) => gate.synthesize(request, context)
    const client = await ready()
    client.send(start)
    const codes = async (count: number) => {
      await client.next('error', undefined, count - 1)
      return client.of('error').map(({ code }) => code)
    }
    client.send(text('x'.repeat(4_001)))
    expect(await codes(1)).toEqual(['text_too_long'])
    for (let n = 0; n < 3; n++) client.send(text('😀'.repeat(3_000)))
    expect(await codes(2)).toEqual(['text_too_long', 'text_too_long'])
    client.send(text('a\u0007b'))
    expect((await codes(3))[2]).toBe('invalid_request')
  })

  test('is limited to what its token was minted for', async () => {
    const short = await ready('awtt_short')
    short.send(start)
    short.send(text('0123456789'))
    short.send(text('x'))
    expect(errorOf(await short.next('error'))).toEqual(['text_too_long', 'default'])
    const ada = await ready('awtt_ada')
    ada.send({ event: 'start', voice_id: '0'.repeat(32) })
    expect(errorOf(await ada.next('error'))).toEqual(['invalid_request', 'default'])
    ada.send({ event: 'start' })
    await ada.next('started')
  })

  test('stops its synthesis when its client has disconnected', async () => {
    let stopped = () => {}
    const gone = new Promise<void>((resolve) => {
      stopped = resolve
    })
    gateway.fakes.synthesize = async function* (request, { signal }) {
      signal.addEventListener('abort', () => stopped())
      yield* chunksOf(request).slice(0, 2)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    const client = await ready()
    client.send(start)
    client.send(text('A long story. '))
    client.send(end)
    await client.next('audio')
    client.socket.terminate()
    await gone
    expect(await paidCharacters()).toBe('A long'.length)
  })
})
