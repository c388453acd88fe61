/** What every stand-in says: 50 ms for each character, loud and soft in turn so that each piece can be told. */
export const sampleRateHz = 24_000
export const msPerCharacter = 50
const samplesPerCharacter = (sampleRateHz * msPerCharacter) / 1000

export const toneOf = (text: string): Int16Array =>
  Int16Array.from({ length: text.length * samplesPerCharacter }, (_, i) =>
    Math.floor(i / samplesPerCharacter) % 2 === 0 ? 8000 : -4000,
  )

/** The audio of ten characters at a time, with where they begin in the text. */
export const piecesOf = (text: string): { at: number; text: string; bytes: Buffer }[] =>
  Array.from({ length: Math.ceil(text.length / 10) }, (_, i) => {
    const piece = text.slice(i * 10, i * 10 + 10)
    return {
      at: i * 10,
      text: piece,
      bytes: bytesOf(
        toneOf(text).subarray(i * 10 * samplesPerCharacter, (i * 10 + piece.length) * samplesPerCharacter),
      ),
    }
  })

export const bytesOf = (pcm: Int16Array): Buffer => Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)
