import type { BrowserParts } from './browser-parts.js'
import type {
  AgentState,
  HistoryItem,
  ParlanceEvents,
  TimedViseme,
  TimedWord,
  TranscriptMessage,
} from './client-events.js'

/**
 * `push-to-talk`: the microphone is sent between start and commit. `automatic`: it is sent all the time, and the service
 * detects speech.
 */
export type InputMode = 'push-to-talk' | 'automatic'

/** The transport of audio and events. */
export type TransportKind = 'webrtc' | 'websocket'

/** A page without network and media, for tests: `createScriptedConnection` of `@parlance/client/testing` makes it. */
export interface TestTransport {
  /** @internal */
  readonly parts: BrowserParts
}

/** Options of a client. */
export interface ParlanceClientOptions {
  /** The UUID of a published Agent, not its slug. */
  readonly agentId: string
  /** Returns a fresh token from your own backend, which keeps the key. Called by every `connect`. */
  readonly sessionToken: () => string | Promise<string>
  /** The origin of the API, such as `https://voice.example.com`. Default: the page's own origin. */
  readonly apiOrigin?: string
  /** Default `webrtc`. `websocket` is for networks that block UDP; its latency is higher. */
  readonly transport?: TransportKind | TestTransport
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

/** How the microphone is captured. The three kinds of processing are on by default. */
export interface CaptureOptions {
  /** Default: the device of `setInputDevice`, else the user's default microphone. */
  readonly deviceId?: string
  readonly echoCancellation?: boolean
  readonly noiseSuppression?: boolean
  readonly autoGainControl?: boolean
}

/** Options of one session. */
export interface ConnectOptions {
  /** Default `push-to-talk`. */
  readonly inputMode?: InputMode
  /** A chat without speech: the user types, the Agent answers in text, and the page never asks for the microphone. */
  readonly textOnly?: boolean
  /**
   * How the microphone is captured, or an audio track of the page's own in its place. The client sends a clone of that track,
   * which it stops at the end of the session. False for none: the user types, and the Agent speaks.
   */
  readonly microphone?: CaptureOptions | MediaStreamTrack | false
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
  /** The user only types. */
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
export type Tool<Input = unknown> = (input: Input) => unknown

/** A schema of zod, Valibot, ArkType or another library that implements https://standardschema.dev. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] }

/** A JSON Schema. `type`, `properties`, `required`, `items`, `enum` and `const` are checked; other keywords are not. */
export interface JsonSchema {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly [keyword: string]: unknown
}

/** The arguments that fit a schema. */
export type ArgumentsOf<Schema> =
  Schema extends StandardSchema<infer Output>
    ? Output
    : Schema extends { readonly const: infer Value }
      ? Value
      : Schema extends { readonly enum: readonly (infer Value)[] }
        ? Value
        : Schema extends { readonly type: 'object'; readonly properties: infer Properties }
          ? ObjectOf<Properties, Schema extends { readonly required: readonly (infer Name)[] } ? Name : never>
          : Schema extends { readonly type: 'array'; readonly items: infer Item }
            ? ArgumentsOf<Item>[]
            : Schema extends { readonly type: infer Type extends keyof JsonTypes }
              ? JsonTypes[Type]
              : unknown

type ObjectOf<Properties, Required> = {
  [Name in keyof Properties as Name extends Required ? Name : never]: ArgumentsOf<Properties[Name]>
} & { [Name in keyof Properties as Name extends Required ? never : Name]?: ArgumentsOf<Properties[Name]> }

interface JsonTypes {
  readonly object: Readonly<Record<string, unknown>>
  readonly array: unknown[]
  readonly string: string
  readonly number: number
  readonly integer: number
  readonly boolean: boolean
  readonly null: null
}

/** A tool whose arguments are checked first. The Agent is sent an error for arguments that do not fit. */
export interface TypedTool<Schema extends StandardSchema | JsonSchema> {
  readonly parameters: Schema
  run(input: ArgumentsOf<Schema>): unknown
}

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
  readonly muted: boolean
  /** From 0 to 1. */
  readonly volume: number
  /** Whether the browser does not let the page play audio: call `resumeAudio()` from a click. */
  readonly audioBlocked: boolean
  /**
   * The messages of this session, or of the last one; each once, in its latest form. Withdrawn ones are left out. The array
   * stays the same until it changes.
   */
  readonly messages: readonly TranscriptMessage[]
  /** The messages, calls of tools and interruptions of this session, or of the last one. Like `messages`. */
  readonly history: readonly HistoryItem[]
  /** `listening` without a session. */
  readonly agentState: AgentState
  /** Whether the service receives speech of the user. */
  readonly userSpeaking: boolean
  /**
   * The microphones of the browser, as far as they are known: since the user allowed one, or since `listDevices`. They are
   * kept up to date during a session, and while there is a listener for `devicesChanged`.
   */
  readonly inputDevices: readonly AudioDevice[]
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
  /**
   * The Agent speaks this text, in place of what it is saying. It is a message of the Agent in the transcript, and the model
   * knows it. Returns its id.
   */
  say(text: string): string
  /**
   * The user is there without speaking, such as typing or reading: the silence after which the session would end begins anew.
   */
  sendUserActivity(): void
  startPushToTalk(): void
  commitPushToTalk(): void
  cancelPushToTalk(): void
  /** Stops the reply of the Agent. */
  interrupt(): void
  /** Context of the page for the Agent. Replaces the previous text. */
  updateContext(text: string): void
  /** Replaces a tool of the same name. Returns a function that unregisters the tool. */
  registerTool<const Schema extends StandardSchema | JsonSchema>(name: string, tool: TypedTool<Schema>): () => void
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
  /**
   * The current loudness by frequency, from 0 to 255, as `AnalyserNode.getByteFrequencyData` returns it: 512 values, evenly
   * from 0 Hz to half the sample rate of the audio context. All are 0 without a session.
   */
  getInputFrequencyData(): Uint8Array<ArrayBuffer>
  getOutputFrequencyData(): Uint8Array<ArrayBuffer>
  listDevices(): Promise<AudioDevice[]>
  /** Applies to this session and to later ones. */
  setInputDevice(id: string): Promise<void>
  setOutputDevice(id: string): Promise<void>

  /** How much of this speech has been played, in ms; undefined while it is not being played. */
  speechPosition(speechId: string): number | undefined
  /** The speech that is being played, by the clock of the audio; undefined while the Agent is silent. For lips. */
  playingSpeech(): PlayingSpeech | undefined
}
