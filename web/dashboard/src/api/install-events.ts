import { readJsonLines } from './json-lines.js'
import type { Problem } from './problem.js'
import type { components } from './schema.js'

export type InstallEvent = components['schemas']['InstallEvent']

type Line = InstallEvent | (Problem & { readonly event: 'error' })

/**
 * Reads the events of an installation, until the event `installed`. Rejects with the problem of an installation that fails, and
 * with a `TypeError`, as `fetch` does, when the connection ends before the installation.
 */
export const readInstallEvents = async (
  body: ReadableStream<Uint8Array>,
  onEvent: (event: InstallEvent) => void,
): Promise<void> => {
  for await (const event of readJsonLines<Line>(body)) {
    if (event.event === 'error') throw event
    onEvent(event)
    if (event.event === 'installed') return
  }
  throw new TypeError('the connection ended')
}
