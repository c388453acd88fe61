import { printCredit } from '@parlance/clients/credit'
import type { UnconnectedStarts } from '@parlance/clients/session-registry'
import type { OpenSpeechBill, Synthesize } from '@parlance/clients/speech'
import type { SessionGrant, SessionRequest } from '@parlance/contracts'
import type { Logger, Metrics, Tracing } from '@parlance/telemetry'
import { createSessionSpeech } from '../conversation/agent/session-speech.js'
import { createCallJournal } from '../conversation/call-journal.js'
import type { Conversation, ConversationEnd, SpeakSegment } from '../conversation/conversation.js'
import type { SessionAccount } from '../conversation/session-account.js'
import type { AudioTap } from '../media/audio-tap.js'
import type { Transport } from '../media/transport.js'
import type { MemoryExtractions } from '../memory/memory-extractions.js'
import { createMemoryExtractor } from '../memory/memory-extractions.js'
import type { Recorder } from '../recording/recorder.js'
import { createSessionJournal } from '../records/session-journal.js'
import type { SessionRepository } from '../records/session-repository.js'
import type { SettleLateUsage } from '../records/settle-late-usage.js'
import type { OpenTools } from '../tools/tool.js'
import type { CallDetails } from './admission.js'
import type { FetchBackground } from './background.js'
import { openCallMedia } from './call-media.js'
import type { ConversationParts } from './conversation-parts.js'
import type { ResolvedAgent } from './resolve-agent.js'
import { createSessionTrace } from './session-trace.js'
import type { Undo } from './undo.js'

export interface ComposeConversationOptions {
  readonly parts: Pick<
    ConversationParts,
    'openConversation' | 'createPlayback' | 'openVoiceDetector' | 'findRecognizer' | 'findTurnDetector'
  >
  readonly sessions: Pick<SessionRepository, 'write'>
  readonly settleLateUsage: SettleLateUsage
  readonly unconnectedStarts: Pick<UnconnectedStarts, 'add'>
  readonly openBill: OpenSpeechBill
  readonly synthesize: Synthesize
  readonly openTools: OpenTools
  readonly fetchBackground: FetchBackground
  readonly extractions: Pick<MemoryExtractions, 'start'>
  readonly firstAudioDeadlineMs: number
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'sessionVoiceToVoice'>
  readonly tracing: Pick<Tracing, 'startSpan'>
}

export interface AdmittedCall {
  readonly call: CallDetails
  readonly agent: ResolvedAgent
  readonly grant: SessionGrant
  readonly request: SessionRequest
  readonly transport: Transport
  readonly account: SessionAccount
  /** Undefined for a conversation that is not recorded. */
  readonly recorder: Recorder | undefined
  /** Closes what was opened, should a later step fail. */
  readonly undo: Undo
}

export interface ComposedConversation {
  readonly conversation: Conversation
  readonly audioTap: Pick<AudioTap, 'listen'>
  /** Resolves when the conversation has ended, is charged for and is written to its record. */
  finish(): Promise<ConversationEnd>
  /** To be called after that. Returns at once. */
  extractMemories(): void
}

/** Opens a conversation with the voice, the tools, the journal and the account of its own. */
export const createComposeConversation = (options: ComposeConversationOptions) => {
  const { parts, sessions, settleLateUsage, unconnectedStarts, openBill, synthesize, firstAudioDeadlineMs } = options
  const { openTools, fetchBackground, extractions, logger, metrics, tracing } = options

  return (admitted: AdmittedCall): ComposedConversation => {
    const { call, agent, grant, request, transport, account, recorder, undo } = admitted
    const { workspaceId, keyId, agentId, sessionId, requestId, config } = call
    const background = fetchBackground(call, grant.metadata)
    const startSpan = createSessionTrace(tracing, call)

    const speech = createSessionSpeech({
      openBill,
      synthesize,
      workspaceId,
      keyId,
      agentId,
      requestId,
      config,
      firstAudioDeadlineMs,
      onSpoken: (characters) => journal.spoke(characters),
    })
    const journal = createSessionJournal({
      sessions,
      workspaceId,
      sessionId,
      creditUsed: () => printCredit(account.chargedNano() + speech.chargedNano()),
      logger,
      startSpan,
      storeTranscript: config.session_config.store_transcript,
    })
    const memoryExtractor = createMemoryExtractor({
      extractions,
      settleLateUsage,
      grant,
      sessionId,
      requestId,
      config,
      model: agent.model,
      background,
    })

    // A greeting that names something of one user is kept out of the speech cache.
    const speakPrivately: SpeakSegment = (segment) => speech.speakSegment(segment, { private: true })

    const media = openCallMedia({
      parts,
      transport,
      onNeverConnected: () => void unconnectedStarts.add(workspaceId),
      spokenLanguage: request.modalities.includes('audio') ? config.stt_config.language : undefined,
      onTapError: (err) =>
        logger.error({ sessionId, err }, 'A copy of the audio of a conversation ended with an error'),
      undo,
    })

    const conversation = parts.openConversation({
      sessionId,
      requestId,
      config,
      inputMode: request.input_mode,
      transport: media.transport,
      onUserAudio: media.audioTap.received,
      playback: media.playback,
      voiceDetector: media.voiceDetector,
      recognizer: media.recognizer,
      turnDetector: media.turnDetector,
      model: agent.model,
      tools: openTools(call),
      background,
      speakSegment: agent.greetsPersonally ? speakPrivately : speech.speakSegment,
      voiceLanguage: agent.voiceLanguage,
      timeZone: agent.timeZone,
      journal: createCallJournal({ journal, recorder, audioTap: media.audioTap, account, memoryExtractor, metrics }),
      logger,
      startSpan,
    })

    return {
      conversation,
      audioTap: media.audioTap,
      async finish() {
        const end = await conversation.ended
        media.releaseRecognizer()
        account.close()
        await speech.allClosed()
        await Promise.all([recorder?.finish(), journal.finish(end)])
        return end
      },
      extractMemories: memoryExtractor.extract,
    }
  }
}
