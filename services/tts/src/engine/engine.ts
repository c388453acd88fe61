import type { OfferedVoice, SynthesisMethod } from '@parlance/contracts'
import type { SpeakCommand, SpeechMarks } from '@parlance/engine/protocol'
import type { SecretReference } from '@parlance/runtime'
import type { Logger } from '@parlance/telemetry'

export type { SpeechMarks }

/** A piece of plain text and how to say it, in ids and languages that the engine's voices offer. */
export type Utterance = SpeakCommand

export type SpeechEvent =
  /** Mono samples that follow those before. `isLast` says that no more will; without it, nobody knows yet. */
  | { readonly kind: 'audio'; readonly pcm: Int16Array; readonly isLast?: boolean }
  /** Times in ms from the utterance's first sample, within its audio; batches go forward in time. */
  | ({ readonly kind: 'marks' } & SpeechMarks)

export interface SpeakOptions {
  readonly signal: AbortSignal
  /** Called when the utterance is being spoken. */
  readonly onStart?: () => void
  /** Called when it has been, or has failed, and whatever spoke it is free for another; read or not. */
  readonly onEnd?: (spoken: { audioMs: number; engineMs: number }) => void
}

/** Something that speaks: the port behind which every engine of this service stands. */
export interface Engine {
  /** Lower-case letters, digits and hyphens; unique in its worker. Workers with an engine of the same name speak alike. */
  readonly name: string
  /** What it is made of, shown by `$SRV.INFO`: its implementation, version, model. No secrets. */
  readonly info: Readonly<Record<string, string>>
  readonly synthesis: SynthesisMethod
  readonly sampleRateHz: number
  readonly voices: readonly OfferedVoice[]
  /** How many utterances it speaks at the same time. */
  readonly capacity: number
  /** How many it speaks now or has waiting. */
  active(): number
  /** Whether it is worth asking now. While it is not, its variants are not offered. */
  healthy(): boolean
  /** The listener hears of each change of `healthy`; calling what is returned ends that. */
  onHealthChange(listener: () => void): () => void
  /**
   * Audio comes as soon as it exists and is kept for a slow reader, who therefore holds nobody up. Leaving the loop or
   * aborting ends the synthesis; an abort throws the signal's reason. What is more than the capacity waits, first come,
   * first served. Throws `ServiceError`: `upstream_error` and `upstream_timeout` when the engine fails, `draining` when
   * it is being closed; of these a `FatalTextError` or `ProcessLostError` when a process ended.
   */
  speak(utterance: Utterance, options: SpeakOptions): AsyncIterable<SpeechEvent>
  /** Fails what is still being spoken and leaves nothing running. */
  close(): Promise<void>
}

/** What an engine is given when it is opened. */
export interface EngineContext {
  readonly logger: Logger
  /** Throws, naming the reference and not the value, when there is no such secret. */
  readSecret(reference: SecretReference): string
  /** Called whenever a process of the engine that ended, and should not have, is replaced. */
  onReplace(engine: string): void
}

/**
 * Opens what one entry of the configuration describes: usually one engine, of a folder of models one for each. Rejects
 * only when the configuration itself is wrong; an upstream that cannot be reached is an engine that is not healthy.
 */
export type OpenEngines<Config> = (name: string, config: Config, context: EngineContext) => Promise<readonly Engine[]>
