import { readAudioPieces } from '../../../src/conversations/listening/audio-pieces.js'

const lineOf = (at_ms: number, ...samples: number[]) => {
  const bytes = Buffer.from(Int16Array.from(samples).buffer)
  return Buffer.from(`${JSON.stringify({ at_ms, audio_base64: bytes.toString('base64') })}\n`)
}

test('pieces come with their positions and samples, and a connection that is lost throws after those before', async () => {
  const lost = new TypeError('network error')
  const parts = [lineOf(0), lineOf(0, 1, -1, 2, -2), lineOf(70_000, 32_767, -32_768)]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift()
      if (part === undefined) controller.error(lost)
      else controller.enqueue(part)
    },
  })
  const pieces: number[][] = []
  const read = async () => {
    for await (const { atMs, samples } of readAudioPieces(body)) pieces.push([atMs, ...samples])
  }
  await expect(read()).rejects.toBe(lost)
  expect(pieces).toEqual([[0], [0, 1, -1, 2, -2], [70_000, 32_767, -32_768]])
})
