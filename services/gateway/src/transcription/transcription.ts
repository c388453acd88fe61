/** One transcription: the file is sent to a recognizer, its audio is billed, and its text is returned. */
import { type CallContext, type Client, sendFile } from '@parlance/bus'
import {
  type creditContract,
  type Principal,
  ServiceError,
  type TranscriptionRequest,
  type TranscriptionSegment,
  toServiceError,
  type transcriptionContract,
} from '@parlance/contracts'
import type { Transcript } from './transcript-formats.js'
import type { OpenTranscriptionBill, TranscriptionBill } from './transcription-billing.js'

/** OpenAI's model names match no local model. They select the preferred recognizer. */
export const openaiTranscriptionModels = ['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe'] as const

export const isOpenaiTranscriptionModel = (model: string): boolean =>
  (openaiTranscriptionModels as readonly string[]).includes(model)

/** A recording that is to be transcribed. */
interface TranscriptionTask {
  readonly principal: Pick<Principal, 'workspace_id' | 'key_id'>
  readonly file: Uint8Array
  readonly request: Omit<TranscriptionRequest, 'workspace_id'>
  readonly context: CallContext
  /** Ends the transcription. */
  readonly signal: AbortSignal
}

/** Receives a transcription as it is produced. An error that it throws or rejects with ends the transcription. */
export interface TranscriptionListener {
  /** Called first. `language` is a BCP 47 tag. */
  onBegin?(transcript: Pick<Transcript, 'durationMs' | 'language'>): void
  /** Delivers a segment before the rest is known. */
  onSegment?(segment: TranscriptionSegment): void | Promise<void>
  /** Called at the end with everything. When it returns, the transcript is delivered. */
  onEnd(transcript: Transcript): void
}

/**
 * Bills a transcription that completes for all its audio. One that ends early because of its client or its file is billed
 * for what was decoded. One that fails otherwise is billed for the segments that `onSegment` took, if there is one.
 *
 * Rejects with `insufficient_credit`, as the method of the contract does, with the reason of the signal, and with what the
 * listener throws.
 */
export type RunTranscription = (task: TranscriptionTask, listener: TranscriptionListener) => Promise<void>

interface TranscriptionOptions {
  readonly transcription: Pick<Client<typeof transcriptionContract>, 'transcribe'>
  readonly credit: Pick<Client<typeof creditContract>, 'requireCredit'>
  readonly openTranscriptionBill: OpenTranscriptionBill
}

const cutOff = () => new ServiceError('upstream_error', 'The transcription ended before it was complete. Try again.')

export const createRunTranscription =
  ({ transcription, credit, openTranscriptionBill }: TranscriptionOptions): RunTranscription =>
  async ({ principal, file, request, context, signal }, listener) => {
    const { workspace_id } = principal
    // A file is not decoded for a workspace that cannot pay for any transcription.
    await credit.requireCredit({ workspace_id }, { context, signal })
    const segments: TranscriptionSegment[] = []
    let begun: Pick<Transcript, 'durationMs' | 'language'> | undefined
    let bill: TranscriptionBill | undefined
    let isDone = false
    let decodedMs = 0
    let isBilled = false
    /** Aborted when the transcription is over, however it ended. */
    const over = new AbortController()

    const begin = async (durationMs: number, language: string): Promise<void> => {
      decodedMs = durationMs
      isBilled = true
      const opened = await openTranscriptionBill({ principal, durationMs, context })
      if (over.signal.aborted) return opened.settle(signal.aborted ? durationMs : 0)
      bill = opened
      if (signal.aborted) return
      begun = { durationMs, language }
      listener.onBegin?.(begun)
      call.send({ kind: 'recognize' })
      call.end()
    }
    /** Without credit for the audio nothing is recognized. */
    const billDecoded = (durationMs: number) =>
      openTranscriptionBill({ principal, durationMs, context }).then(
        (opened) => opened.settle(durationMs),
        () => {},
      )
    const takeSegment = async (segment: TranscriptionSegment): Promise<void> => {
      await listener.onSegment?.(segment)
      segments.push(segment)
    }

    const call = transcription.transcribe(
      { ...request, workspace_id, progress: true },
      (chunk) => {
        if (chunk.event === 'decoding') {
          decodedMs = chunk.duration_ms
          return
        }
        if (chunk.event === 'decoded') return begin(chunk.duration_ms, chunk.language)
        if (chunk.event === 'segment') return takeSegment(chunk)
        isDone = true
      },
      { context },
    )
    const cancel = () => call.cancel(signal.reason)
    signal.addEventListener('abort', cancel, { once: true })
    try {
      void sendFile(call, file, over.signal)
      await call.ended
      signal.throwIfAborted()
      if (begun === undefined || !isDone) throw cutOff()
      listener.onEnd({ ...begun, segments })
    } catch (error) {
      const isOfClient = signal.aborted || toServiceError(error).status < 500
      if (isOfClient && !isBilled && decodedMs > 0) void billDecoded(decodedMs)
      if (isOfClient) bill?.settle(decodedMs)
      else bill?.settle(listener.onSegment === undefined ? 0 : (segments.at(-1)?.end_ms ?? 0))
      throw error
    } finally {
      over.abort()
      signal.removeEventListener('abort', cancel)
    }
    bill?.settle(begun.durationMs)
  }
