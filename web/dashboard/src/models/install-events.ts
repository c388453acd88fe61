import type { Problem } from '../api/problem.js'
import type { components } from '../api/schema.js'

export type InstallEvent = components['schemas']['InstallEvent']

type Line = InstallEvent | (Problem & { readonly event: 'error' })

/**
 * Reads a line of JSON for each event. Rejects with the problem of an installation that fails, and with a `TypeError`, as `fetch`
 * does, when the connection ends before the installation.
 */
export const readInstallEvents = async (
  body: ReadableStream<Uint8Array>,
  onEvent: (event: InstallEvent) => void,
): Promise<void> => {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let text = ''
  let isInstalled = false
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
      isInstalled = event.event === 'installed'
    }
    if (done && isInstalled) return
    if (done) throw new TypeError('the connection ended')
  }
}
