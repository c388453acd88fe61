import { type ListenedPiece, listenedAudio } from '@parlance/contracts'
import { listenedPieces } from '../../src/conversation/listen-handler.js'
import { type AudioTap, createAudioTap } from '../../src/media/audio-tap.js'
import { sentRateHz } from '../../src/media/transport.js'

const newTap = () =>
  createAudioTap({
    onError: (error) => {
      throw error
    },
  })
const newCall = () => {
  const audioTap = newTap()
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  return { audioTap, over, end }
}
/** Plays 100 ms, in which both sides have one constant value each. */
const play = (tap: AudioTap, user: number, agent: number): void => {
  for (let frame = 0; frame < 5; frame++) {
    tap.received(new Int16Array(320).fill(user))
    tap.played(new Int16Array(480).fill(agent))
  }
}
/** The last sample of each side. */
const endOf = ({ data }: ListenedPiece): number[] => {
  const samples = new Int16Array(data.slice().buffer)
  return [samples.at(-2)!, samples.at(-1)!]
}
const listen = (call: Parameters<typeof listenedPieces>[0], signal = new AbortController().signal) =>
  listenedPieces(call, signal)
const next = async (pieces: AsyncGenerator<ListenedPiece>) => (await pieces.next()).value as ListenedPiece

test('the first piece is empty and at once; then each has 100 ms with the user on the left and the agent on the right', async () => {
  const call = newCall()
  const pieces = listen(call)
  expect(await next(pieces)).toEqual({ at_ms: 0, data: new Uint8Array(0) })
  play(call.audioTap, 1_000, -2_000)
  play(call.audioTap, 1_000, 3_000)
  const [first, second] = [await next(pieces), await next(pieces)]
  expect(listenedAudio.sampleRateHz).toBe(sentRateHz)
  expect(first.data).toHaveLength((2 * 2 * sentRateHz) / 10)
  expect([first.at_ms, second.at_ms]).toEqual([0, 100])
  expect(endOf(first)[1]).toBe(-2_000)
  expect(endOf(second)).toEqual([expect.closeTo(1_000, -1), 3_000])
})

test('a silent side is silence', async () => {
  const call = newCall()
  const pieces = listen(call)
  await next(pieces)
  for (let frame = 0; frame < 5; frame++) call.audioTap.played(undefined)
  expect((await next(pieces)).data.every((byte) => byte === 0)).toBe(true)
})

test('the latest second is kept for a slow reader, and the positions have a gap', async () => {
  const call = newCall()
  const slow = listen(call)
  const quick = listen(call)
  const seen: number[] = []
  await next(slow)
  await next(quick)
  for (let piece = 0; piece < 25; piece++) {
    play(call.audioTap, 0, piece)
    seen.push(endOf(await next(quick))[1]!)
  }
  expect(seen).toEqual(Array.from({ length: 25 }, (_, piece) => piece))
  call.end()
  const rest: number[] = []
  for await (const { at_ms } of slow) rest.push(at_ms)
  expect(rest).toEqual([1_500, 1_600, 1_700, 1_800, 1_900, 2_000, 2_100, 2_200, 2_300, 2_400])
})

test('a reader gets what was said before the conversation ended, then the end', async () => {
  const call = newCall()
  const pieces = listen(call)
  await next(pieces)
  play(call.audioTap, 0, 1)
  call.end()
  await call.over
  expect(endOf(await next(pieces))[1]).toBe(1)
  expect(await pieces.next()).toEqual({ done: true, value: undefined })
})

test('a reader that has left is no longer written to', async () => {
  const call = newCall()
  let listeners = 0
  const counted = {
    ...call,
    audioTap: {
      listen(listener: Parameters<AudioTap['listen']>[0]) {
        listeners += 1
        const leave = call.audioTap.listen(listener)
        return () => {
          listeners -= 1
          leave()
        }
      },
    },
  }
  const left = new AbortController()
  const pieces = listen(counted, left.signal)
  await next(pieces)
  expect(listeners).toBe(1)
  const waiting = pieces.next()
  left.abort()
  expect(await waiting).toEqual({ done: true, value: undefined })
  expect(listeners).toBe(0)
})
