import { setImmediate as nextTick } from 'node:timers/promises'
import type { Queue } from '@parlance/async'
import { type FileChunk, maxFilePartBytes, ServiceError } from '@parlance/contracts'
import type { DuplexCall } from './stream/open-duplex.js'

/** Sends a file and that it is whole. Stops when the signal is aborted. */
export const sendFile = async (
  call: Pick<DuplexCall<FileChunk>, 'send'>,
  file: Uint8Array,
  signal: AbortSignal,
): Promise<void> => {
  for (let at = 0; at < file.length; at += maxFilePartBytes) {
    await call.send({ kind: 'part', data: file.subarray(at, at + maxFilePartBytes) })
    // Other requests can run between two parts.
    await nextTick()
    if (signal.aborted) return
  }
  call.send({ kind: 'whole' })
}

/**
 * Takes a file from the chunks of a caller. Rejects with `payload_too_large` for more than `maxBytes`, with `invalid_request` when
 * another chunk or the end comes before the file is whole, and with the reason of the signal.
 */
export const receiveFile = async (
  input: Pick<Queue<FileChunk | { readonly kind: string }>, 'take'>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  let bytes = 0
  for (let chunk = await input.take(signal); chunk?.kind !== 'whole'; chunk = await input.take(signal)) {
    signal.throwIfAborted()
    if (chunk === undefined || !('data' in chunk)) throw new ServiceError('invalid_request', 'The file is incomplete.')
    bytes += chunk.data.length
    if (bytes > maxBytes) {
      throw new ServiceError('payload_too_large', `The file is larger than ${maxBytes / 1024 ** 2} MiB.`)
    }
    parts.push(chunk.data)
  }
  return Buffer.concat(parts)
}
