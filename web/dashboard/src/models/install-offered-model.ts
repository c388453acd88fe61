import type { Api } from '../api/api.js'
import { type InstallEvent, readInstallEvents } from '../api/install-events.js'
import type { Problem } from '../api/problem.js'
import type { paths } from '../api/schema.js'

type Found = paths['/dashboard/api/try/recognizer']['get']['responses'][200]['content']['application/json']
/** A model that a page may install. */
export type OfferedModel = NonNullable<Found['recognizer']>

const lost: Problem = {
  code: 'connection_lost',
  detail: 'The connection was lost. The next try continues where this one ended.',
  retryable: true,
}

export interface InstallOptions {
  readonly signal: AbortSignal
  /** Called while it is downloaded. */
  onBytes(receivedBytes: number): void
  /** Called when the download is complete. */
  onMeasuring(): void
}

/** Installs a model whose licenses the person has accepted. Rejects with a problem, or with the reason of the signal. */
export const installOfferedModel = async (api: Api, name: string, options: InstallOptions): Promise<void> => {
  const { signal, onBytes, onMeasuring } = options
  const receivedOf = new Map<string, number>()
  const onEvent = (event: InstallEvent) => {
    if (event.event === 'measuring') onMeasuring()
    if (event.event !== 'progress') return
    receivedOf.set(event.file, event.received_bytes)
    onBytes([...receivedOf.values()].reduce((sum, bytes) => sum + bytes, 0))
  }
  const { data } = await api.POST('/dashboard/api/try/models', {
    body: { name, accept_license: true },
    parseAs: 'stream',
    signal,
  })
  await readInstallEvents(data as unknown as ReadableStream<Uint8Array>, onEvent).catch((error: unknown) => {
    signal.throwIfAborted()
    throw error instanceof Error ? lost : error
  })
}
