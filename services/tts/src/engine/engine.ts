import { type OfferedVoice, ServiceError, type SynthesisMethod } from '@parlance/contracts'
import type { SpeakCommand, SpeechMarks } from '@parlance/engine/protocol'
import type { SecretReference } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'

export type { SpeechMarks }

/** A plain text and how to speak it, with a voice, a variant and a language that the engine offers. */
export type Utterance = SpeakCommand

export type SpeechEvent =
  /** Mono samples that follow those before. `isLast` is true when it is known that no more follow. */
  | { readonly kind: 'audio'; readonly pcm: Int16Array; readonly isLast?: boolean }
  /** Marks with times in ms from the utterance's first sample, within its audio and in order of time. */
  | ({ readonly kind: 'marks' } & SpeechMarks)

/** The engine's process ended while it spoke the utterance, which may or may not be the reason. */
export class ProcessEndedError extends ServiceError {
  constructor(cause?: unknown) {
    super('upstream_error', 'The speech engine stopped while speaking. Try again.', { cause })
  }
}

export interface SpeakOptions {
  readonly signal: AbortSignal
  /** Called when the synthesis begins. */
  readonly onStart?: () => void
  /** Called when the synthesis has ended or failed and its capacity is free again, whether or not the audio was read. */
  readonly onEnd?: (spoken: { audioMs: number; engineMs: number }) => void
}

/** The port of every speech engine of this service. */
export interface Engine {
  /** Lower-case letters, digits and hyphens; unique in a worker. Engines of the same name in several workers are the same. */
  readonly name: string
  /** Its implementation, version, model and the like, shown by `$SRV.INFO`. Without secrets. */
  readonly info: Readonly<Record<string, string>>
  readonly synthesis: SynthesisMethod
  readonly sampleRateHz: number
  readonly voices: readonly OfferedVoice[]
  /**
   * Whether an utterance is given to it piece by piece (`speechPieces`), since it makes the whole of a piece before the first audio
   * and cannot stop within one. Another listener's first piece may then come between two pieces of a long segment.
   */
  readonly isPiecewise?: boolean
  /** The number of utterances that it speaks at the same time. */
  readonly capacity: number
  /** Returns the number of utterances in progress and waiting. */
  active(): number
  /** Returns whether it can be expected to speak now. While it cannot, its variants are not offered. */
  healthy(): boolean
  /** Calls `listener` after each change of `healthy`; returns a function that removes it. */
  onHealthChange(listener: () => void): () => void
  /**
   * Speaks an utterance. Audio is yielded as soon as it exists and is buffered for a slow reader, so that a slow reader does not
   * occupy the engine. Leaving the loop or aborting stops the synthesis; an abort throws the signal's reason. Utterances beyond
   * the capacity wait in order. Throws `ServiceError`: `upstream_error` or `upstream_timeout` when the engine fails, `draining`
   * when it is being closed; a `ProcessEndedError` when a process ended.
   */
  speak(utterance: Utterance, options: SpeakOptions): AsyncIterable<SpeechEvent>
  /** Fails the utterances in progress and resolves when nothing is running. */
  close(): Promise<void>
}

/** The dependencies of an engine. */
export interface EngineContext {
  /** Its lines name the engine. */
  readonly logger: Logger
  /** Throws when there is no such secret. The message names the reference and not the value. */
  readSecret(reference: SecretReference): string
  /** Called when a process of the engine ended unexpectedly and is replaced. */
  onReplace(engine: string): void
}

/**
 * Opens the engines of one entry of the configuration: usually one, or one for each model of a folder. Rejects only when the
 * configuration is wrong. A server that cannot be reached is an engine that is not healthy.
 */
export type OpenEngines<Config> = (name: string, config: Config, context: EngineContext) => Promise<readonly Engine[]>
