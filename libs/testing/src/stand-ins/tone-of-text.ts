/**
 * What every stand-in speaks: 50 ms for each character, loud and soft in turn so that each piece is recognizable; `_` is
 * silent.
 */
export const sampleRateHz = 24_000
export const msPerCharacter = 50
const samplesPerCharacter = (sampleRateHz * msPerCharacter) / 1000

export const toneOf = (text: string): Int16Array => {
  const tone = new Int16Array(text.length * samplesPerCharacter)
  for (let i = 0; i < text.length; i++) {
    const sample = text[i] === '_' ? 0 : i % 2 === 0 ? 8000 : -4000
    tone.fill(sample, i * samplesPerCharacter, (i + 1) * samplesPerCharacter)
  }
  return tone
}

/** The audio of ten characters at a time, with where they begin in the text. */
export const piecesOf = (text: string): { at: number; text: string; bytes: Buffer }[] => {
  const tone = toneOf(text)
  return Array.from({ length: Math.ceil(text.length / 10) }, (_, i) => {
    const at = i * 10
    const pcm = tone.subarray(at * samplesPerCharacter, (at + 10) * samplesPerCharacter)
    return { at, text: text.slice(at, at + 10), bytes: bytesOf(pcm) }
  })
}

export const bytesOf = (pcm: Int16Array): Buffer => Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)
