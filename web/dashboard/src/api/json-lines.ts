/**
 * Reads a body that has a value of JSON in each line. Empty lines keep the connection open, and are left out. Throws what the
 * body does when the connection is lost. A caller that stops reading cancels the body.
 */
export async function* readJsonLines<Value>(body: ReadableStream<Uint8Array>): AsyncGenerator<Value> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += value
      const lines = text.split('\n')
      text = lines.pop()!
      for (const line of lines) if (line !== '') yield JSON.parse(line) as Value
    }
  } finally {
    // Its error has already been thrown.
    reader.cancel().catch(() => {})
  }
}
