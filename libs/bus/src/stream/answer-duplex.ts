import type { Sink } from '@parlance/async/push-stream'
import { invalidRequest, ServiceError } from '@parlance/contracts'
import { z } from 'zod'
import { ChunkReceiver, SequenceGapError } from './chunk-receiver.js'
import { respond, StreamResponder, type StreamResponderOptions } from './stream-responder.js'

/** The caller of a bidirectional stream, as its handler sees it. */
export interface DuplexPeer<Input, Output> {
  /**
   * Sends a chunk. Returns nothing for a chunk that was sent, else a promise that resolves when no chunk waits, or when the
   * caller has disconnected.
   */
  send: Sink<Output>
  /**
   * Delivers the caller's chunks to `sink`; may be called once. Resolves when the caller has ended its direction and its last
   * chunk was delivered. Rejects with the signal's reason when the caller has disconnected, or with the error of the sink.
   */
  receive(sink: Sink<Input>): Promise<void>
}

interface AnsweredDuplex extends Omit<StreamResponderOptions, 'input' | 'packing'> {
  /** The schema of the caller's chunks. */
  readonly schema: z.ZodType
  /** The stream ends when this resolves, after all chunks were sent. */
  readonly handle: (peer: DuplexPeer<unknown, object>, signal: AbortSignal) => Promise<void>
  readonly toServiceError: (error: unknown) => ServiceError
}

/** Answers a request with a bidirectional stream. Resolves with the error that was sent to the caller, or with undefined. */
export const answerDuplex = async ({
  schema,
  handle,
  toServiceError,
  ...options
}: AnsweredDuplex): Promise<ServiceError | undefined> => {
  let inputError: ServiceError | undefined
  let endInput!: () => void
  let failInput!: (reason: unknown) => void
  const inputEnded = new Promise<void>((resolve, reject) => {
    endInput = resolve
    failInput = reject
  })
  // For a handler that reads no chunks, the signal reports that the caller has disconnected.
  inputEnded.catch(() => undefined)

  const receiver = new ChunkReceiver({
    schema,
    onTaken: (chunks) => responder.updateWindow(chunks),
    onSinkFailure(reason) {
      receiver.discard()
      failInput(reason)
    },
  })
  const responder = new StreamResponder({
    ...options,
    input: {
      receiver,
      onEnd: () => receiver.whenTaken(endInput),
      onBroken(cause) {
        inputError = inputErrorOf(cause)
        responder.fail(inputError)
        responder.leave(inputError)
      },
    },
  })
  responder.signal.addEventListener('abort', () => {
    receiver.discard()
    failInput(responder.signal.reason)
  })

  const peer: DuplexPeer<unknown, object> = {
    send: (chunk) => responder.send(chunk),
    receive(sink) {
      receiver.start(sink)
      return inputEnded
    },
  }
  const answer = await respond(responder, () => handle(peer, responder.signal), toServiceError)
  receiver.discard()
  return answer ?? inputError
}

const inputErrorOf = (cause: unknown): ServiceError => {
  if (cause instanceof SequenceGapError)
    return new ServiceError('upstream_error', 'Part of the stream was lost. Try again.')
  if (cause instanceof z.ZodError) return invalidRequest(cause)
  return new ServiceError('invalid_request', 'A chunk of the stream is malformed.')
}
