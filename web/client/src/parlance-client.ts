import type { ParlanceEvents, TimedViseme, TimedWord } from './client-events.js'

/**
 * `push-to-talk`: the microphone is sent between start and commit. `automatic`: it is sent all the time, and the service
 * detects speech.
 */
export type InputMode = 'push-to-talk' | 'automatic'

/** The transport of audio and events. */
export type TransportKind = 'webrtc' | 'websocket'

/** Options of a client. */
export interface ParlanceClientOptions {
  /** The UUID of a published Agent, not its slug. */
  readonly agentId: string
  /** Returns a fresh token from your own backend, which keeps the key. Called by every `connect`. */
  readonly sessionToken: () => string | Promise<string>
  /** The origin of the API, such as `https://voice.example.com`. Default: the page's own origin. */
  readonly apiOrigin?: string
  /** Default `webrtc`. `websocket` is for networks that block UDP; its latency is higher. */
  readonly transport?: TransportKind
  /**
   * Returns the `traceparent` header of the page's own trace, which the requests of a session then continue. Called for each
   * request; without it, or where it returns undefined, a request has no such header.
   */
  readonly traceparent?: () => string | undefined
}

/** What a session has in place of the Agent's own. The Agent must allow each in `session_config.overrides`. */
export interface SessionOverrides {
  readonly systemPrompt?: string
  /** `null` for none: the user begins. */
  readonly firstMessage?: string | null
  readonly voiceId?: string
  /** A tag such as `de`: the language of the user and of the voice, which must speak it. */
  readonly language?: string
}

/** Options of one session. */
export interface ConnectOptions {
  /** Default `push-to-talk`. */
  readonly inputMode?: InputMode
  /** The user types, and the page never asks for the microphone. The Agent still speaks. */
  readonly textOnly?: boolean
  readonly overrides?: SessionOverrides
  /** Aborts connecting. It has no effect on a session. */
  readonly signal?: AbortSignal
}

/**
 * `idle` before the first `connect`, `disconnected` after a session or a failed attempt; `connect` may be called in both.
 * `reconnecting`: the network is lost, and the session continues if it comes back soon.
 */
export type ConnectionState =
  | 'idle'
  | 'requesting-microphone'
  | 'connecting'
  | 'connected'
  | 'reconnecting'
  | 'disconnecting'
  | 'disconnected'

/** The speech that is being played. */
export interface PlayingSpeech {
  /** The id of the message in the transcript. */
  readonly speechId: string
  /** From the first sample of the speech to the sample that is being played. */
  readonly positionMs: number
  /** All words received so far, in order. */
  readonly words: readonly TimedWord[]
  readonly visemes: readonly TimedViseme[]
}

/** The avatar of an Agent, as the catalog describes it. */
export interface Avatar {
  readonly id: string
  readonly display_name: string
  readonly status: 'available' | 'unavailable'
  readonly thumbnail_url: string
  readonly license: string
  readonly asset: {
    /** May be relative to `apiOrigin`. */
    readonly url: string
    readonly format: 'glb'
    readonly content_type: 'model/gltf-binary'
    readonly size_bytes: number
    readonly sha256: string
  }
  readonly viseme_set: 'oculus15'
  readonly viseme_morph_targets: Readonly<Record<string, string>>
  readonly expression_morph_targets: Readonly<Record<string, string>>
}

/** One conversation. */
export interface Session {
  readonly id: string
  readonly agentId: string
  /** The publication of the Agent that runs in this session. */
  readonly publication: { readonly id: string; readonly version: number }
  readonly inputMode: InputMode
  readonly textOnly: boolean
  readonly maxDurationSeconds: number
  readonly avatar: Avatar | null
}

/** What the user thinks of a session. */
export interface Feedback {
  /** 1 for good, -1 for bad. */
  readonly score: -1 | 1
  /** At most 2,000 characters. */
  readonly comment?: string
}

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
  /** Rates the current session, or the last one until an hour after its end. Replaces its earlier feedback. */
  sendFeedback(feedback: Feedback): Promise<void>

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
