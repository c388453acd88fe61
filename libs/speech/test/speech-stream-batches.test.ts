import { pushStreamFrom } from '@parlance/async/push-stream'
import type { SynthesisChunk } from '@parlance/contracts'
import { batchOf, chunksOf, createScriptedSynthesis, settled } from './scripted-synthesis.js'
import { ofKind, open, readAll, spokenText, texts } from './speech-stream-scene.js'

describe('batches of several segments', () => {
  /** The first two texts are one batch, and the others are another. */
  const pairs = [0, 2].map((at) => batchOf(texts[at]! + texts[at + 1]!, [texts[at]!.length]))
  const batches = async function* () {
    yield* pairs
  }

  test('give the same speech as their segments one by one', async () => {
    const together = await readAll(open(createScriptedSynthesis(), { batches: batches() }))
    const apart = await readAll(open(createScriptedSynthesis()))
    const segmentChunks = (chunks: readonly SynthesisChunk[]) =>
      chunks.filter(({ event }) => !/started|done/.test(event))
    expect(segmentChunks(together)).toEqual(segmentChunks(apart))
    expect(together.at(-1)).toEqual({ ...apart.at(-1)!, ttfa_ms: pairs[0]!.text.length })
  })

  test('are spoken ahead only during the last segment of the batch before, like single segments', async () => {
    const firstSegment = 1 + Math.ceil(texts[0]!.length / 4) + 2
    const within = createScriptedSynthesis({ hangAfter: { [pairs[0]!.text]: firstSegment } })
    const chunks = open(within, { batches: batches() })
    for (let count = 0; count < firstSegment; count++) await chunks.next()
    await settled()
    expect(within.begun).toEqual([pairs[0]!.text])
    await chunks.return!()

    const beyond = createScriptedSynthesis({ hangAfter: { [pairs[0]!.text]: firstSegment + 1 } })
    const others = open(beyond, { batches: batches() })
    for (let count = 0; count < firstSegment + 1; count++) await others.next()
    await settled()
    expect(beyond.begun).toEqual(pairs.map(({ text }) => text))
    await others.return!()
  })
})

describe('a failure', () => {
  test('is reported after everything that was produced before it, and nothing is begun after it', async () => {
    const synthesis = createScriptedSynthesis({ failAfter: { [texts[1]!]: 3 } })
    const chunks: SynthesisChunk[] = []
    await expect(readAll(open(synthesis, { batchesAhead: 2 }), chunks)).rejects.toBe(synthesis.failure)
    expect(spokenText(chunks)).toBe(texts[0]! + texts[1]!.slice(0, 8))
    expect(ofKind(chunks, 'segment')).toHaveLength(1)
    expect(ofKind(chunks, 'done')).toEqual([])
    await settled()
    expect(synthesis.begun).not.toContain(texts[3])
    expect(synthesis.begun.length).toBe(synthesis.finished.length + synthesis.stopped.length)
  })

  test('of the source is reported after the segments that came before it', async () => {
    const failure = new Error('no more text')
    const batches = (async function* () {
      yield batchOf(texts[0]!)
      throw failure
    })()
    const chunks: SynthesisChunk[] = []
    await expect(readAll(open(createScriptedSynthesis(), { batches }), chunks)).rejects.toBe(failure)
    expect(spokenText(chunks)).toBe(texts[0])
  })

  test('is the result of a synthesis that ends without `done`', async () => {
    const synthesize = () => pushStreamFrom(() => chunksOf(texts[0]!).slice(0, 4))
    await expect(readAll(open({ synthesize }))).rejects.toMatchObject({ code: 'upstream_error' })
  })
})
