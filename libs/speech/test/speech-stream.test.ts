import { pushStreamFrom } from '@parlance/async/push-stream'
import { type SegmentBatch, unspoken } from '../src/index.js'
import { batchesOf, batchOf, chunksOf, createScriptedSynthesis, msPerCharacter, settled } from './scripted-synthesis.js'
import { ofKind, open, readAll, spokenText, texts } from './speech-stream-scene.js'

describe('the chunks', () => {
  test('come in the order of the segments, on one clock without a gap', async () => {
    const chunks = await readAll(open(createScriptedSynthesis(), { batchesAhead: 2 }))
    expect(spokenText(chunks)).toBe(texts.join(''))
    let clockMs = 0
    for (const [index, { seq, start_ms, duration_ms }] of ofKind(chunks, 'audio').entries()) {
      expect(seq).toBe(index)
      expect(start_ms).toBeCloseTo(clockMs, 5)
      clockMs = start_ms + duration_ms
    }
    const characters = texts.join('').length
    expect(clockMs).toBeCloseTo(characters * msPerCharacter, 5)
    expect(chunks.map(({ event }) => event).filter((event) => event === 'started' || event === 'done')).toEqual([
      'started',
      'done',
    ])
    expect(chunks[0]).toMatchObject({ event: 'started' })
    expect(chunks.at(-1)).toEqual({
      event: 'done',
      audio_duration_ms: characters * msPerCharacter,
      characters_billed: characters,
      ttfa_ms: texts[0]!.length,
    })
    expect(ofKind(chunks, 'segment').map(({ segment, characters }) => [segment, characters])).toEqual(
      texts.map((text, index) => [index, text.length]),
    )
  })

  test('of a batch begin with the pause after the one before it, and nothing follows the last', async () => {
    const pauseMs = 240
    const spoken = ['One.', ' — ', ' Two, three.', ' Four.']
    const synthesize = (batch: SegmentBatch) =>
      batch.speakable ? pushStreamFrom(() => chunksOf(batch.text, batch.cuts, pauseMs)) : unspoken(batch)
    const chunks = await readAll(open({ synthesize }, { batches: batchesOf(spoken) }))
    const silence = '\0'.repeat((pauseMs * 8000 * 2) / 1000)
    expect(spokenText(chunks)).toBe(`One.${silence} Two, three.${silence} Four.`)

    let clockMs = 0
    for (const { start_ms, duration_ms } of ofKind(chunks, 'audio')) {
      expect(start_ms).toBeCloseTo(clockMs, 5)
      clockMs = start_ms + duration_ms
    }
    const startsMs = [0, 5 * msPerCharacter + pauseMs, 10 * msPerCharacter + pauseMs, 17 * msPerCharacter + 2 * pauseMs]
    const words = ofKind(chunks, 'alignment').flatMap((alignment) => alignment.words)
    expect(words.map(({ text, start_ms }) => [text, start_ms])).toEqual(
      ['One', 'Two', 'three', 'Four'].map((text, index) => [text, startsMs[index]]),
    )
    const durationMs = (spoken[0]!.length + spoken[2]!.length + spoken[3]!.length) * msPerCharacter + 2 * pauseMs
    expect(clockMs).toBeCloseTo(durationMs, 5)
    expect(chunks.at(-1)).toMatchObject({ event: 'done', audio_duration_ms: durationMs })
  })

  test.each([
    [1, 240 + 350],
    [2, 240 + 175],
  ])(
    'of a batch that begins with a blank line come after the pause of a paragraph, at speed %d',
    async (speed, expectedMs) => {
      const spoken = ['\n\nOne.', '\n\nTwo.', ' Three.']
      const synthesize = ({ text }: SegmentBatch) => pushStreamFrom(() => chunksOf(text, [], 240))
      const chunks = await readAll(open({ synthesize }, { batches: batchesOf(spoken), speed }))
      const silence = (ms: number) => '\0'.repeat((ms * 8000 * 2) / 1000)
      expect(spokenText(chunks)).toBe(`\n\nOne.${silence(expectedMs)}\n\nTwo.${silence(240)} Three.`)
    },
  )

  test.each([
    ['ulaw', '\u00ff'],
    ['alaw', '\u00d5'],
  ] as const)('are also separated by silence in %s', async (format, silent) => {
    const output = { format, sample_rate: 8000, bit_rate: null }
    const synthesize = ({ text }: SegmentBatch) =>
      pushStreamFrom(() =>
        chunksOf(text, [], 10).map((chunk) => (chunk.event === 'started' ? { ...chunk, output } : chunk)),
      )
    const chunks = await readAll(open({ synthesize }, { batches: batchesOf(['One.', ' Two.']) }))
    const bytes = Buffer.concat(ofKind(chunks, 'audio').map(({ data }) => data))
    expect(bytes.toString('latin1')).toBe(`One.${silent.repeat(80)} Two.`)
  })

  test('carry their alignment on the same clock', async () => {
    const chunks = await readAll(open(createScriptedSynthesis()))
    const whole = texts.join('')
    const words = ofKind(chunks, 'alignment').flatMap(({ words }) => words)
    expect(words).toEqual(
      [...whole.matchAll(/\p{L}+/gu)].map(({ 0: text, index }) => ({
        text,
        start_ms: index * msPerCharacter,
        end_ms: (index + text.length) * msPerCharacter,
      })),
    )
    const visemes = ofKind(chunks, 'alignment').map(({ visemes }) => visemes[0]!.start_ms)
    expect(visemes).toEqual(texts.map((_, index) => texts.slice(0, index).join('').length * msPerCharacter))
  })

  test('of a segment without speakable text are one that counts it, and no engine is called', async () => {
    const synthesis = createScriptedSynthesis()
    const chunks = await readAll(open(synthesis, { batches: batchesOf(['One.', ' \n…', ' Two.', ' ']) }))
    expect(synthesis.begun).toEqual(['One.', ' Two.'])
    expect(spokenText(chunks)).toBe('One. Two.')
    expect(ofKind(chunks, 'segment').map(({ segment, characters }) => [segment, characters])).toEqual([
      [0, 4],
      [1, 3],
      [2, 5],
      [3, 1],
    ])
    expect(chunks.at(-1)).toMatchObject({ event: 'done', characters_billed: 13 })
  })

  test('of no segment are only `done`', async () => {
    const chunks = await readAll(open(createScriptedSynthesis(), { batches: batchesOf([]) }))
    expect(chunks).toEqual([{ event: 'done', audio_duration_ms: 0, characters_billed: 0, ttfa_ms: 0 }])
  })
})

describe('looking ahead', () => {
  test('the next segment is spoken while this one is read, and the one after it is not yet requested', async () => {
    const synthesis = createScriptedSynthesis()
    const chunks = open(synthesis)
    await chunks.next()
    await settled()
    expect(synthesis.finished).toEqual([texts[1]])
    expect(synthesis.begun).toEqual(texts.slice(0, 2))
    await chunks.return!()
  })

  test('a slow segment does not delay the synthesis of the next', async () => {
    const synthesis = createScriptedSynthesis({ hangAfter: { [texts[0]!]: 3 } })
    const chunks = open(synthesis)
    await chunks.next()
    await settled()
    expect(synthesis.finished).toEqual([texts[1]])
    await chunks.return!()
  })

  test('no second segment is begun before the first audio', async () => {
    const synthesis = createScriptedSynthesis({ hangAfter: { [texts[0]!]: 0 } })
    const controller = new AbortController()
    const first = open(synthesis, { signal: controller.signal }).next()
    await settled()
    expect(synthesis.begun).toEqual([texts[0]])
    controller.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
  })

  test('a reader that stops blocks the producers at the limits of time and of bytes', async () => {
    const bounds = [{ maxWaitingMs: 4 * 4 * msPerCharacter }, { maxWaitingBytes: 16 }]
    for (const bound of bounds) {
      const synthesis = createScriptedSynthesis()
      const chunks = open(synthesis, { batchesAhead: 3, ...bound })
      await chunks.next()
      await chunks.next()
      await settled()
      const made = [...synthesis.given.values()].reduce((sum, count) => sum + count, 0)
      // Four waiting chunks, one more of each segment that was begun, and the chunks without audio.
      expect(made).toBeLessThanOrEqual(4 + 4 + 2 + 4)
      expect(spokenText(await readAll(chunks, []))).toBe(texts.join('').slice(4))
    }
  })

  test('a segment much longer than the limits is spoken completely', async () => {
    const long = 'word '.repeat(200).trim()
    const chunks = await readAll(
      open(createScriptedSynthesis(), { batches: batchesOf([long, ' End.']), maxWaitingMs: 100, batchesAhead: 2 }),
    )
    expect(spokenText(chunks)).toBe(`${long} End.`)
  })
})

describe('a speech that is stopped early', () => {
  test('leaving the loop stops both segments in progress, and the source', async () => {
    const synthesis = createScriptedSynthesis({ hangAfter: { [texts[0]!]: 4, [texts[1]!]: 4 } })
    let left = false
    const batches = (async function* () {
      try {
        yield* texts.map((text) => batchOf(text))
      } finally {
        left = true
      }
    })()
    const chunks = open(synthesis, { batches })
    await chunks.next()
    await settled()
    expect(synthesis.begun).toEqual(texts.slice(0, 2))
    for await (const chunk of chunks) if (chunk.event === 'audio') break
    await settled()
    expect(synthesis.stopped.sort()).toEqual(texts.slice(0, 2).sort())
    expect(synthesis.begun).toEqual(texts.slice(0, 2))
    expect(left).toBe(true)
  })

  test('leaving the loop stops producers that wait for room', async () => {
    const synthesis = createScriptedSynthesis()
    const chunks = open(synthesis, { maxWaitingMs: 1 })
    await chunks.next()
    await chunks.next()
    await settled()
    await chunks.return!()
    await settled()
    expect(synthesis.finished).toEqual([])
    expect(synthesis.stopped.sort()).toEqual(synthesis.begun.sort())
  })

  test('an abort stops both at once and rejects with its reason, even while the reader waits', async () => {
    const synthesis = createScriptedSynthesis({ hangAfter: { [texts[0]!]: 2, [texts[1]!]: 3 } })
    const controller = new AbortController()
    const chunks = open(synthesis, { signal: controller.signal })
    await chunks.next()
    await chunks.next()
    const waiting = chunks.next()
    waiting.catch(() => undefined)
    await settled()
    const reason = new Error('cancelled')
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await settled()
    expect(synthesis.stopped.sort()).toEqual(texts.slice(0, 2).sort())
  })

  test('an abort between two reads stops the producers before the next read', async () => {
    const synthesis = createScriptedSynthesis({ hangAfter: { [texts[1]!]: 3 } })
    const controller = new AbortController()
    const chunks = open(synthesis, { signal: controller.signal })
    await chunks.next()
    await settled()
    controller.abort(new Error('cancelled'))
    await settled()
    expect(synthesis.stopped.sort()).toEqual(texts.slice(0, 2).sort())
    await expect(chunks.next()).rejects.toThrow('cancelled')
  })

  test('a speech that is aborted before it begins requests nothing', async () => {
    const synthesis = createScriptedSynthesis()
    const chunks = open(synthesis, { signal: AbortSignal.abort(new Error('too late')) })
    await expect(chunks.next()).rejects.toThrow('too late')
    expect(synthesis.begun).toEqual([])
  })

  test('leaving does not wait for a source that waits for text', async () => {
    const batches = (async function* () {
      yield batchOf(texts[0]!)
      await new Promise(() => {})
    })()
    const chunks = open(createScriptedSynthesis(), { batches })
    await chunks.next()
    await settled()
    await expect(chunks.return!()).resolves.toMatchObject({ done: true })
  })
})
