/** The header of a stream's binary frame. */
export const frameHeaderBytes = 12

/** `index` is the context's, `startMs` the time of its first sample on the context's clock. */
export const writeFrameHeader = (frame, index, seq, startMs) => {
  frame.writeUInt8(1, 0)
  frame.writeUInt8(1, 1)
  frame.writeUInt16BE(index, 2)
  frame.writeUInt32BE(seq, 4)
  frame.writeUInt32BE(Math.round(startMs), 8)
}
