import type { PushStream } from '@parlance/async/push-stream'
import type {
  AgentConfig,
  EndReason,
  KnowledgePassage,
  SessionMessage,
  SessionToolCall,
  SessionUsage,
  SynthesisChunk,
  TurnMetrics,
} from '@parlance/contracts'
import type { Segment } from '@parlance/speech'
import type { Logger, Span, SpanAttributes } from '@parlance/telemetry'
import type { LanguageModel } from '../llm/language-model.js'
import type { AudioFilter } from '../media/noise-suppression.js'
import type { Playback } from '../media/playback/playback.js'
import type { Transport } from '../media/transport.js'
import type { Recognizer } from '../stt/recognizer.js'
import type { Transfer } from '../tools/builtin-tools.js'
import type { Tool } from '../tools/tool.js'
import type { TurnDetector } from '../turn-detector/turn-detector.js'
import type { VoiceDetector } from '../turn-detector/voice-activity/voice-detector.js'
import type { CallEffect, CallEvent } from './call-reducer.js'
import type { ReducerStep } from './reducer-runner.js'
import type { TurnEffect, TurnEvent, UserTurnOptions } from './turn/turn-state.js'

/** What an Agent answers with. */
export interface AgentParts {
  /** Of the published revision. */
  readonly config: AgentConfig
  readonly model: LanguageModel
  /** The tools of the published revision, except those that the conversation adds itself: of the page, and built-in ones. */
  readonly tools: readonly Tool[]
  /** Never rejects. */
  readonly background: Promise<Background>
  /** Left out for an Agent without files. */
  readonly findKnowledge?: FindKnowledge | undefined
  /** Undefined in a conversation without speech. */
  readonly speakSegment: SpeakSegment | undefined
  /** The language in which the Agent's voice speaks, a BCP 47 tag. */
  readonly voiceLanguage: string
}

/**
 * The parts of one conversation. It owns the transport and the playback, and closes them at its end. After a transfer another
 * Agent answers; the settings of turns, recognition and the conversation stay those of the first.
 */
export interface ConversationOptions extends AgentParts {
  readonly sessionId: string
  readonly requestId: string
  /** Undefined when there is no other Agent. */
  readonly transfer?: Transfer | undefined
  readonly inputMode: 'push-to-talk' | 'automatic'
  /** Whether it is a telephone call. */
  readonly phone?: boolean
  readonly transport: Transport
  readonly playback: Playback
  /** Undefined when the client has no microphone and sends text. */
  readonly voiceDetector: VoiceDetector | undefined
  /** Of the user's audio; undefined when it is used as it is. The conversation closes it at its end. */
  readonly audioFilter?: AudioFilter | undefined
  /** Undefined when none is available: the client is sent one error, and the conversation continues by text. */
  readonly recognizer: Recognizer | undefined
  /** Undefined when only words and silence decide when a turn is over. */
  readonly turnDetector: TurnDetector | undefined
  /** Of the user, as an IANA name. */
  readonly timeZone: string
  readonly journal: ConversationJournal
  readonly logger: Logger
  readonly startSpan: StartSessionSpan
  /** Receives the audio of the microphone that the conversation uses, 20 ms at a time. */
  readonly onUserAudio?: (frame: Int16Array) => void
  /** A turn of the agent has begun, or is over: it was played to its end, was interrupted, or stopped with the conversation. */
  readonly onAgentTurn?: ((phase: 'began' | 'finished' | 'interrupted' | 'stopped') => void) | undefined
  /** Whether the agent says that it takes a moment where tools take long. Default: true. */
  readonly fillsSilence?: boolean | undefined
  /** Receives every step of the conversation, for a replay. */
  readonly recordStep?: (step: ConversationStep) => void
}

/**
 * Starts the span of a part of one conversation, in the trace of the request that started the conversation. Undefined when that
 * trace is not sampled.
 */
export type StartSessionSpan = (name: string, attributes?: SpanAttributes) => Span | undefined

/**
 * An event of a conversation and the effects that followed from it, as plain JSON data. The steps of one conversation, in
 * their order, replay to the same effects. They contain the user's words.
 */
export type ConversationStep =
  | ({ readonly machine: 'call' } & ReducerStep<CallEvent, CallEffect>)
  | ({ readonly machine: 'turn' } & ReducerStep<TurnEvent, TurnEffect>)

/** Facts about the user for the model, before the first message. They are data, never instructions. */
export interface Background {
  /** What the Agent remembers of the user, oldest first. */
  readonly memories: readonly string[]
  /** The user's next appointments, a line each. */
  readonly appointments: readonly string[]
  /** The metadata of the session token. */
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The passages of the Agent's files for what the user said. Never rejects. */
export type FindKnowledge = (text: string, signal: AbortSignal) => Promise<readonly KnowledgePassage[]>

/** The speech of one segment of a reply. */
interface SegmentSpeech {
  /** Mono PCM at 24 kHz with words and visemes. Rejects with `ServiceError`, `insufficient_credit` among them. */
  readonly chunks: PushStream<SynthesisChunk>
  /**
   * Pays for the code points that were played. To be called once, when nothing more will be played: until then the credit
   * stays reserved.
   */
  settle(characters: number): void
}

/** `private` keeps the text out of the speech cache. */
export type SpeakSegment = (segment: Segment, options: { readonly private: boolean }) => SegmentSpeech

/** The record of a conversation. Methods return at once and never throw; the journal retries what cannot be written. */
export interface ConversationJournal {
  /** The client is ready. */
  started(): void
  /**
   * Adds a final message; of one that was interrupted, the text that was played. It began `begunAgoMs` ago: the user's with the
   * voice, the agent's with the turn.
   */
  message(message: SessionMessage, begunAgoMs: number): void
  /**
   * The agent's message that is being spoken, with the text that was played so far, which is kept if the process stops. Called
   * at most once a second, and only when more was played.
   */
  progress(message: SessionMessage): void
  turn(metrics: TurnMetrics): void
  /** A reply that was prepared before the user's turn was over was used for that turn, or discarded. */
  prepared(outcome: 'used' | 'discarded'): void
  /** A tool call that has ended, with or without a result. */
  toolCall(call: SessionToolCall): void
  used(usage: Partial<SessionUsage>): void
  ending(reason: EndReason): void
}

export interface ConversationEnd {
  readonly reason: EndReason
  /** What failed, when the reason is a failure. */
  readonly error: { readonly code: string; readonly detail: string } | null
}

export interface Conversation {
  /**
   * Sends `session.ending`, lets the agent finish until the deadline, and sends `session.ended`. The reason of the first call
   * is kept, and the earliest deadline applies. With a deadline of 0 it ends now.
   */
  end(reason: EndReason, deadlineMs: number): void
  /** Adds a message that causes no reply. */
  add(message: Pick<SessionMessage, 'id' | 'role' | 'text'>): void
  /** The agent replies to the messages so far, unless it is busy or the user is speaking. */
  reply(): void
  /** Another input mode drops what the user is saying. */
  setUserTurns(options: UserTurnOptions): void
  /** The agent has these parts from its next turn on. */
  use(parts: AgentParts): void
  /** Resolves when the conversation has ended, whatever the reason, and its transport is closed. Never rejects. */
  readonly ended: Promise<ConversationEnd>
}
