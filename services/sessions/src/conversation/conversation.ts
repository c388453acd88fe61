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
import type { LanguageModel } from '../language-model/language-model.js'
import type { Playout } from '../playout/playout.js'
import type { Recognizer } from '../recognition/recognizer.js'
import type { Transport } from '../transport/transport.js'
import type { VoiceDetector } from '../voice-activity/voice-detector.js'

/** All that one conversation stands on. */
export interface ConversationOptions {
  readonly sessionId: string
  readonly requestId: string
  /** Of the published revision. */
  readonly config: AgentConfig
  readonly inputMode: 'push-to-talk' | 'automatic'
  readonly transport: Transport
  readonly playout: Playout
  /** Undefined where the peer has no microphone: it sends text. */
  readonly voiceDetector: VoiceDetector | undefined
  /** Undefined where none is at hand: the conversation goes on by text, and says so once. */
  readonly recognizer: Recognizer | undefined
  readonly model: LanguageModel
  readonly speakSegment: SpeakSegment
  readonly journal: ConversationJournal
  readonly logger: Logger
}

/**
 * Speaks one segment as mono PCM at 24 kHz with words and visemes; what was spoken is billed by it. `private` keeps the text out
 * of the speech cache. Rejects with `ServiceError`, `insufficient_credit` among them.
 */
export type SpeakSegment = (
  segment: Segment,
  options: { readonly private: boolean; readonly signal: AbortSignal },
) => AsyncIterable<SynthesisChunk>

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
   * Tells the peer with `session.ending`, lets what is being said end until the deadline, then `session.ended`. Once: what was
   * given first is the reason. With a deadline of 0 it ends now.
   */
  end(reason: EndReason, deadlineMs: number): void
  /** Resolves when it is over, in whichever way, and its transport is closed. Never rejects. */
  readonly ended: Promise<ConversationEnd>
}
