/** The audio of a live conversation, as `POST /dashboard/api/agent-sessions/{sessionId}/listen` answers it. */

export const sampleRateHz = 24_000
export const channelCount = 2

/** A part of the conversation. */
export interface AudioPiece {
  /** Since the answer began. Where the connection was too slow, positions have a gap. */
  readonly atMs: number
  /** 16-bit PCM with two interleaved channels: the user, then the Agent. */
  readonly samples: Int16Array
}

const headerBytes = 8

const joined = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  const all = new Uint8Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}

/** Takes whole pieces from the beginning of `bytes`. Returns the rest. */
const takePieces = (bytes: Uint8Array, onPiece: (piece: AudioPiece) => void): Uint8Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let start = 0
  while (bytes.length - start >= headerBytes) {
    const end = start + headerBytes + view.getUint32(start + 4, true)
    if (end > bytes.length) break
    // A copy, since samples must begin at an even place in memory.
    const { buffer } = bytes.slice(start + headerBytes, end)
    onPiece({ atMs: view.getUint32(start, true), samples: new Int16Array(buffer) })
    start = end
  }
  return bytes.subarray(start)
}

/** Resolves when the conversation has ended. Rejects with a `TypeError`, as `fetch` does, when the connection is lost. */
export const readAudioPieces = async (
  body: ReadableStream<Uint8Array>,
  onPiece: (piece: AudioPiece) => void,
): Promise<void> => {
  const reader = body.getReader()
  let rest: Uint8Array = new Uint8Array(0)
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    rest = takePieces(joined(rest, value), onPiece)
  }
}
