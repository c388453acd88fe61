import type { PushStream } from '@parlance/async/push-stream'
import type {
  AgentConfig,
  EndReason,
  SessionMessage,
  SessionUsage,
  SynthesisChunk,
  TurnMetrics,
} from '@parlance/contracts'
import type { Segment } from '@parlance/speech'
import type { Logger } from '@parlance/telemetry'
import type { LanguageModel } from '../../llm/language-model.js'
import type { Playback } from '../../media/playback/playback.js'
import type { Transport } from '../../media/transport.js'
import type { VoiceDetector } from '../../media/voice-activity/voice-detector.js'
import type { Recognizer } from '../../stt/recognizer.js'
import type { Tool } from '../../tools/tool.js'

/** All that one conversation stands on. The transport, the playout and the detector are its own, and closed with it. */
export interface ConversationOptions {
  readonly sessionId: string
  readonly requestId: string
  /** Of the published revision. */
  readonly config: AgentConfig
  readonly inputMode: 'push-to-talk' | 'automatic'
  readonly transport: Transport
  readonly playout: Playback
  /** Undefined where the peer has no microphone: it sends text. */
  readonly voiceDetector: VoiceDetector | undefined
  /** Undefined where none is at hand: the conversation goes on by text, and says so once. */
  readonly recognizer: Recognizer | undefined
  readonly model: LanguageModel
  /** What the published revision lets it do, but for the page's own tools, which the conversation calls itself. */
  readonly tools: readonly Tool[]
  /** What is known of the user; fetched while the connection is being set up. Never rejects. */
  readonly background: Promise<Background>
  readonly speakSegment: SpeakSegment
  /** The language in which the Agent's voice speaks, a BCP 47 tag. */
  readonly voiceLanguage: string
  readonly journal: ConversationJournal
  readonly logger: Logger
}

/** What the model is told of the user before the first word. It is data: nobody follows what it says. */
export interface Background {
  /** What the Agent remembers of him, oldest first. */
  readonly memories: readonly string[]
  /** What is in his calendar soon, a line each. */
  readonly appointments: readonly string[]
  /** What the backend said of him when it minted the token. */
  readonly metadata: Readonly<Record<string, unknown>>
}

/** One segment of an utterance that is spoken. */
export interface SegmentSpeech {
  /** Mono PCM at 24 kHz with words and visemes. Rejects with `ServiceError`, `insufficient_credit` among them. */
  readonly chunks: PushStream<SynthesisChunk>
  /**
   * So many code points of it were played, and are paid for. To be called once, when it was played or never will be:
   * until then its credit stays reserved.
   */
  settle(characters: number): void
}

/** `private` keeps the text out of the speech cache. */
export type SpeakSegment = (segment: Segment, options: { readonly private: boolean }) => SegmentSpeech

/** What is kept of a conversation. Methods return at once; what cannot be written is the journal's own business. */
export interface ConversationJournal {
  /** The client is ready. */
  started(): void
  /** A final message, with what was heard of it. */
  message(message: SessionMessage): void
  turn(metrics: TurnMetrics): void
  used(usage: Partial<SessionUsage>): void
  ending(reason: EndReason): void
}

export interface ConversationEnd {
  readonly reason: EndReason
  /** What failed, where the reason tells of a failure. */
  readonly error: { readonly code: string; readonly detail: string } | null
}

export interface Conversation {
  /**
   * Tells the peer with `session.ending`, lets what is being said end until the deadline, then `session.ended`. Of several
   * calls the first gives the reason, and the nearest deadline holds. With a deadline of 0 it ends now.
   */
  end(reason: EndReason, deadlineMs: number): void
  /** Resolves when it is over, in whichever way, and its transport is closed. Never rejects. */
  readonly ended: Promise<ConversationEnd>
}
