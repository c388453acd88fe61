import type { Problem } from './problem.js'
import type { components } from './schema.js'

export type InstallEvent = components['schemas']['InstallEvent']

type Line = InstallEvent | (Problem & { readonly event: 'error' })

/**
 * Reads the lines of JSON of an installation, one for each event, until the event `installed`. Rejects with the problem of an
 * installation that fails, and with a `TypeError`, as `fetch` does, when the connection ends before the installation.
 */
export const readInstallEvents = async (
  body: ReadableStream<Uint8Array>,
  onEvent: (event: InstallEvent) => void,
): Promise<void> => {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let text = ''
  for (;;) {
    const { done, value = '' } = await reader.read()
    text += value
    const lines = text.split('\n')
    text = lines.pop()!
    for (const line of lines) {
      // Empty lines keep the connection open.
      if (line === '') continue
      const event = JSON.parse(line) as Line
      if (event.event === 'error') throw event
      onEvent(event)
      if (event.event === 'installed') return
    }
    if (done) throw new TypeError('the connection ended')
  }
}
