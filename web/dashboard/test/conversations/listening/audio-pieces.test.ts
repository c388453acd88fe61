import { type AudioPiece, readAudioPieces } from '../../../src/conversations/listening/audio-pieces.js'

const bytesOf = (atMs: number, ...samples: number[]): Uint8Array => {
  const bytes = new Uint8Array(8 + 2 * samples.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, atMs, true)
  view.setUint32(4, 2 * samples.length, true)
  for (const [index, sample] of samples.entries()) view.setInt16(8 + 2 * index, sample, true)
  return bytes
}
const body = new Uint8Array([...bytesOf(0), ...bytesOf(0, 1, -1, 2, -2), ...bytesOf(70_000, 32_767, -32_768)])
const read = async (parts: Uint8Array[]) => {
  const pieces: AudioPiece[] = []
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
  await readAudioPieces(stream, (piece) => void pieces.push(piece))
  return pieces.map(({ atMs, samples }) => [atMs, ...samples])
}

test.each([1, 2, 3, 7, 8, 9, body.length])(
  'pieces are whole however the connection cuts them: parts of %d bytes',
  async (size) => {
    const parts = Array.from({ length: Math.ceil(body.length / size) }, (_, part) =>
      body.subarray(part * size, (part + 1) * size),
    )
    expect(await read(parts)).toEqual([[0], [0, 1, -1, 2, -2], [70_000, 32_767, -32_768]])
  },
)

test('a connection that is lost rejects, after the pieces that came before', async () => {
  const lost = new TypeError('network error')
  const seen: number[] = []
  let pulls = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulls += 1
      if (pulls === 1) controller.enqueue(bytesOf(100, 5, 6))
      else controller.error(lost)
    },
  })
  await expect(readAudioPieces(stream, ({ atMs }) => void seen.push(atMs))).rejects.toBe(lost)
  expect(seen).toEqual([100])
})
