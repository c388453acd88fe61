/**
 * What `bare-speech-gateway.mjs` and `bare-speech-worker.mjs` say to each other: a text is JSON `{ text, sampleRateHz }`, each
 * answer a frame, and an empty one the end.
 */
export const speechSubject = 'bench.speech'

/** The header of the stream's binary frames, as far as the worker knows it: the context's number is put in by the gateway. */
export const frameHeader = (startMs) => {
  const header = Buffer.alloc(12)
  header.writeUInt8(1, 0)
  header.writeUInt8(1, 1)
  header.writeUInt32BE(Math.round(startMs), 8)
  return header
}

export const setContext = (frame, index) => frame.writeUInt16BE(index, 2)
