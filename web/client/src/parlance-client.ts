import type { ParlanceEvents } from './client-events.js'
import type { ConnectOptions } from './client-options.js'
import type { ConnectionState } from './connection-state.js'
import type { HeardSpeech } from './heard-speech.js'
import type { Session } from './session.js'

/** What the Agent is answered; JSON. What it throws, the Agent is told as an error. */
export type Tool = (input: unknown) => unknown

export interface AudioDevice {
  readonly id: string
  readonly kind: 'input' | 'output'
  /** Empty until the user has allowed the microphone. */
  readonly label: string
}

/** Conversations with one Agent, one at a time. All that is thrown, rejected with and told is a `ParlanceError`. */
export interface ParlanceClient {
  readonly connectionState: ConnectionState
  /** The one that is live. */
  readonly session: Session | null
  /** What `apiOrigin` was, or stands for. */
  readonly apiOrigin: string
  /** Returns what unsubscribes. */
  on<Name extends keyof ParlanceEvents>(name: Name, listener: (payload: ParlanceEvents[Name]) => void): () => void

  /** Call it from a click: then the browser lets the Agent be heard. While connecting or connected, the session that is. */
  connect(options?: ConnectOptions): Promise<Session>
  /** Resolves when everything is off. The microphone is off when this returns. */
  disconnect(): Promise<void>

  /** Returns the id that the message will have. */
  sendText(text: string): string
  startPushToTalk(): void
  commitPushToTalk(): void
  cancelPushToTalk(): void
  /** The Agent falls silent. */
  interrupt(): void
  /** What the Agent should know of the page, in place of what was told before. */
  updateContext(text: string): void
  /** Returns what takes it back. */
  registerTool(name: string, tool: Tool): () => void

  /** Nothing of the microphone leaves the page, in this session and those that follow. */
  mute(): void
  unmute(): void
  /** From 0 to 1. */
  setVolume(volume: number): void
  /** After `audioBlocked`, from a click. */
  resumeAudio(): Promise<void>
  /** From 0 to 1, of this moment. */
  getInputLevel(): number
  getOutputLevel(): number
  listDevices(): Promise<AudioDevice[]>
  /** In this session and those that follow. */
  setInputDevice(id: string): Promise<void>
  setOutputDevice(id: string): Promise<void>

  /** How much of this speech has been heard, in ms; undefined while it is not the one that is heard. */
  speechPosition(speechId: string): number | undefined
  /** What is heard at this moment, by the clock of the audio; undefined while the Agent is silent. For lips. */
  heardSpeech(): HeardSpeech | undefined
}
