import { setImmediate as settled } from 'node:timers/promises'
import { vi } from 'vitest'
import { createPartialBudget, createPartialDecoding } from '../../src/stt/partial-decoding.js'

const second = new Int16Array(16_000)

afterEach(() => vi.restoreAllMocks())

/** Utterances on a clock of their own, whose decodings take `decodingMs` each. */
const openScene = (decodingMs: number) => {
  const clock = { ms: 0 }
  vi.spyOn(performance, 'now').mockImplementation(() => clock.ms)
  const budget = createPartialBudget()
  const scene = { decoded: 0, busyMs: 0, isIdle: true, fails: false }

  const open = () => {
    const audio: Int16Array[] = []
    const texts: string[] = []
    let finishDecoding: (() => void) | undefined
    const decoding = createPartialDecoding({
      budget,
      onText: (text) => texts.push(text),
      decode: (soFar) => {
        if (!scene.isIdle) return undefined
        const length = soFar.length
        scene.decoded++
        scene.busyMs += decodingMs
        return new Promise((resolve, reject) => {
          const finishMs = clock.ms + decodingMs
          finishDecoding = () => {
            if (clock.ms < finishMs) return
            if (scene.fails) reject(new Error('the process ended'))
            else resolve(`${length} parts`)
          }
        })
      },
    })
    /** Audio of 20 ms that comes 20 ms after the last. */
    const hear = async () => {
      clock.ms += 20
      audio.push(second.subarray(0, 320))
      finishDecoding?.()
      await settled()
      decoding.update(audio)
    }
    const hearFor = async (ms: number) => {
      for (let at = 0; at < ms; at += 20) await hear()
    }
    return { decoding, texts, audio, hearFor }
  }
  return { scene, clock, open }
}

describe('the partial texts of an utterance that is decoded as a whole', () => {
  test('are those of its audio so far, each longer than the one before', async () => {
    const { open } = openScene(100)
    const { texts, hearFor } = open()
    await hearFor(2000)
    expect(texts.length).toBeGreaterThanOrEqual(3)
    const lengths = texts.map((text) => Number(text.split(' ')[0]))
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b))
    expect(new Set(lengths).size).toBe(lengths.length)
  })

  test('take at most a quarter of one core, however many utterances are in progress', async () => {
    for (const decodingMs of [20, 100, 300]) {
      const { scene, clock, open } = openScene(decodingMs)
      const utterances = [open(), open(), open()]
      for (let round = 0; round < 500; round++) for (const { hearFor } of utterances) await hearFor(20)
      expect(scene.decoded).toBeGreaterThan(5)
      expect(scene.busyMs / clock.ms).toBeLessThanOrEqual(0.26)
    }
  })

  test('are not made while no process is idle, and are made as soon as one is', async () => {
    const { scene, open } = openScene(100)
    const { texts, hearFor } = open()
    scene.isIdle = false
    await hearFor(2000)
    expect(texts).toEqual([])
    scene.isIdle = true
    await hearFor(200)
    expect(texts).toHaveLength(1)
  })

  test('are not made of audio that comes faster than speech', () => {
    const { scene, open } = openScene(100)
    const { decoding, audio } = open()
    for (let part = 0; part < 30; part++) {
      audio.push(second)
      decoding.update(audio)
    }
    expect(scene.decoded).toBe(0)
  })

  test('end when decoding takes so long that the final text would wait for it', async () => {
    const { texts, hearFor } = openScene(600).open()
    await hearFor(8000)
    expect(texts).toHaveLength(1)
  })

  test('end with a decoding that failed, and with the utterance', async () => {
    const failing = openScene(100)
    failing.scene.fails = true
    const failed = failing.open()
    await failed.hearFor(3000)
    expect({ texts: failed.texts, decoded: failing.scene.decoded }).toEqual({ texts: [], decoded: 1 })

    const { texts, decoding, hearFor } = openScene(100).open()
    await hearFor(460)
    decoding.stop()
    await hearFor(1000)
    expect(texts).toEqual([])
  })
})
