import type { ParlanceEvents } from './client-events.js'
import type { ConnectOptions } from './client-options.js'
import type { ConnectionState } from './connection-state.js'
import type { PlayingSpeech } from './playing-speech.js'
import type { Session } from './session.js'

/** Returns the result for the Agent, as JSON. An error that it throws is sent to the Agent. */
export type Tool = (input: unknown) => unknown

/** A microphone (`input`) or a loudspeaker (`output`) of the browser. */
export interface AudioDevice {
  readonly id: string
  readonly kind: 'input' | 'output'
  /** Empty until the user has allowed the microphone. */
  readonly label: string
}

/** Conversations with one Agent, one at a time. Every error that is thrown, rejected with or emitted is a `ParlanceError`. */
export interface ParlanceClient {
  readonly connectionState: ConnectionState
  /** The live session. */
  readonly session: Session | null
  /** The origin of the API, even when the option was left out. */
  readonly apiOrigin: string
  /** Returns a function that unsubscribes. */
  on<Name extends keyof ParlanceEvents>(name: Name, listener: (payload: ParlanceEvents[Name]) => void): () => void

  /**
   * Call it from a click, so that the browser lets the page play audio. While connecting or connected it resolves with the
   * current session.
   */
  connect(options?: ConnectOptions): Promise<Session>
  /** The microphone is off when this returns. Resolves when the session is over. */
  disconnect(): Promise<void>

  /** Returns the id that the message will have in the transcript. */
  sendText(text: string): string
  startPushToTalk(): void
  commitPushToTalk(): void
  cancelPushToTalk(): void
  /** Stops the reply of the Agent. */
  interrupt(): void
  /** Context of the page for the Agent. Replaces the previous text. */
  updateContext(text: string): void
  /** Returns a function that unregisters the tool. */
  registerTool(name: string, tool: Tool): () => void

  /** Sends no audio of the microphone, in this session and in later ones. */
  mute(): void
  unmute(): void
  /** From 0 to 1. */
  setVolume(volume: number): void
  /** After `audioBlocked`, from a click. */
  resumeAudio(): Promise<void>
  /** The current level, from 0 to 1. */
  getInputLevel(): number
  getOutputLevel(): number
  listDevices(): Promise<AudioDevice[]>
  /** Applies to this session and to later ones. */
  setInputDevice(id: string): Promise<void>
  setOutputDevice(id: string): Promise<void>

  /** How much of this speech has been played, in ms; undefined while it is not being played. */
  speechPosition(speechId: string): number | undefined
  /** The speech that is being played, by the clock of the audio; undefined while the Agent is silent. For lips. */
  playingSpeech(): PlayingSpeech | undefined
}
