import { randomUUID } from 'node:crypto'
import { printCredit } from '@parlance/clients/credit'
import type { SessionGrant, SessionMessage, SessionRequest, SessionToolCall } from '@parlance/contracts'
import { createSessionSpeech, type SessionSpeech } from '../conversation/agent/session-speech.js'
import type { AgentParts, ConversationJournal, SpeakSegment, StartSessionSpan } from '../conversation/conversation.js'
import type { SessionAccount } from '../conversation/session-account.js'
import { createAudioTap } from '../media/audio-tap.js'
import { withConnectDeadline } from '../media/connect-deadline.js'
import type { Transport } from '../media/transport.js'
import type { RealtimeTransport } from '../realtime/realtime-transport.js'
import type { Recorder } from '../recording/recorder.js'
import { createSessionJournal } from '../records/session-journal.js'
import type { McpTools } from '../tools/mcp-tools.js'
import type { OpenToolsOptions } from '../tools/tool.js'
import type { AgentTransfer } from './agent-transfer.js'
import type { ResolvedAgent } from './resolve-agent.js'
import type { SessionServices } from './session-services.js'
import type { Undo } from './start-session.js'

/** The parties and the ids of a conversation. `config` is that of the published revision for this user. */
export interface CallDetails extends OpenToolsOptions {
  /** Of the API key that the session token was minted with. */
  readonly keyId: string
  /** The W3C trace context of the request that started it; present only when that trace is sampled. */
  readonly traceparent?: string | undefined
}

/** An Agent that may answer in a conversation. */
export interface OpenedAgent {
  readonly agent: ResolvedAgent
  /** With the id and the config of this Agent. */
  readonly call: CallDetails
  readonly mcpTools: McpTools
}

interface AdmittedCall extends OpenedAgent {
  readonly grant: SessionGrant
  readonly request: SessionRequest
  /** Whether it is a telephone call. */
  readonly phone: boolean
  /** Whether the agent speaks, and does not only write. */
  readonly speaks: boolean
  readonly transport: Transport
  readonly account: SessionAccount
  /** Undefined for a conversation that is not recorded. */
  readonly recorder: Recorder | undefined
  readonly transfer: AgentTransfer | undefined
  /** For a client that speaks OpenAI's Realtime protocol: it is also `transport`. */
  readonly realtime: RealtimeTransport | undefined
  /** Closes what was opened when a later step fails. */
  readonly undo: Undo
}

export type ComposedConversation = ReturnType<typeof composeConversation>

/** Opens what carries, detects and recognizes the audio of one conversation. */
const openMedia = (
  { parts, unconnectedStarts, logger }: SessionServices,
  { call, request, transport, undo }: AdmittedCall,
) => {
  const { workspaceId, sessionId, config } = call
  const hasMicrophone = request.modalities.includes('audio')
  const { language } = config.stt_config
  const recognizer = hasMicrophone ? parts.findRecognizer(language) : undefined
  // Kept warm from now on, so that a recognizer is ready before the first utterance ends.
  const releaseRecognizer = recognizer?.keepWarm?.() ?? (() => {})
  undo.add(releaseRecognizer)
  const connecting = withConnectDeadline(transport, () => void unconnectedStarts.add(workspaceId))
  const audioTap = createAudioTap({
    onError: (err) => logger.error({ sessionId, err }, 'A copy of the audio of a conversation ended with an error'),
  })
  const tapped: Transport = {
    ...connecting,
    playFrame(frame) {
      connecting.playFrame(frame)
      audioTap.played(frame)
    },
  }
  const playback = parts.createPlayback(tapped)
  undo.add(() => playback.close())
  return {
    transport: tapped,
    audioTap,
    playback,
    recognizer,
    /** To be called when the conversation has ended. */
    releaseRecognizer,
    turnDetector: hasMicrophone ? parts.findTurnDetector(language) : undefined,
    voiceDetector: hasMicrophone ? parts.openVoiceDetector() : undefined,
    audioFilter: hasMicrophone && config.audio_config.noise_suppression ? parts.openNoiseSuppression() : undefined,
  }
}

/** Shows members of the workspace why the tools of an MCP server were not there. It belongs to no message. */
const callOfFailure = ({ server, reason }: McpTools['failures'][number]): SessionToolCall => ({
  id: randomUUID(),
  message_id: randomUUID(),
  name: server,
  arguments: {},
  result: `The MCP server cannot be used. ${reason}`,
  outcome: 'failed',
  started_at: new Date().toISOString(),
  duration_ms: 0,
})

/** Opens a conversation with its own voice, tools, journal and account. */
export const composeConversation = (services: SessionServices, admitted: AdmittedCall) => {
  const { parts, sessions, settleLateUsage, openBill, synthesize, settings } = services
  const { openTools, fetchBackground, openKnowledge, extractions, logger, metrics, tracing } = services
  const { call, agent, grant, request, account, recorder, transfer, realtime } = admitted
  const { workspaceId, keyId, agentId, sessionId, requestId, endUserId, config } = call
  const messages: SessionMessage[] = []
  const startSpan: StartSessionSpan = (name, attributes) =>
    call.traceparent === undefined
      ? undefined
      : tracing.startSpan(name, 'internal', {
          parent: call.traceparent,
          attributes: { 'gen_ai.conversation.id': sessionId, ...attributes },
        })
  /** Of the Agent, and of those to which the conversation is transferred. */
  const speeches: SessionSpeech[] = []
  const closing: (() => Promise<void>)[] = []
  let { speaks } = admitted

  const journal = createSessionJournal({
    sessions,
    workspaceId,
    sessionId,
    creditUsed: () => printCredit(speeches.reduce((sum, speech) => sum + speech.chargedNano(), account.chargedNano())),
    logger,
    startSpan,
    storeTranscript: config.session_config.store_transcript,
  })

  const partsOf = ({ agent: opened, call: ofAgent, mcpTools }: OpenedAgent): AgentParts => {
    const speech = createSessionSpeech({
      openBill,
      synthesize,
      workspaceId,
      keyId,
      agentId: ofAgent.agentId,
      requestId,
      config: opened.config,
      firstAudioDeadlineMs: settings.FIRST_AUDIO_DEADLINE_MS,
      onSpoken: (characters) => journal.spoke(characters),
    })
    speeches.push(speech)
    closing.push(mcpTools.close)
    for (const failure of mcpTools.failures) journal.toolCall(callOfFailure(failure))
    // A greeting with values of one user is kept out of the speech cache.
    const speakPrivately: SpeakSegment = (segment) => speech.speakSegment(segment, { private: true })
    return {
      config: opened.config,
      model: opened.model,
      tools: [...openTools(ofAgent), ...mcpTools.tools],
      background: fetchBackground(ofAgent, grant.metadata),
      findKnowledge: openKnowledge(ofAgent),
      speakSegment: speaks ? (opened.greetsPersonally ? speakPrivately : speech.speakSegment) : undefined,
      voiceLanguage: opened.voiceLanguage,
    }
  }
  const ownParts = partsOf(admitted)

  const media = openMedia(services, admitted)

  /** Entries also reach the account, the recording, the memory extraction and the metrics. */
  const fullJournal: ConversationJournal = {
    ...journal,
    started() {
      account.start()
      recorder?.start(media.audioTap)
      journal.started()
    },
    message(message, begunAgoMs) {
      messages.push(message)
      recorder?.message(message, begunAgoMs)
      journal.message(message)
    },
    turn(turn) {
      if (turn.voice_to_voice_ms !== null) metrics.sessionVoiceToVoice(turn.voice_to_voice_ms / 1000)
      journal.turn(turn)
    },
    prepared: metrics.sessionPreparedReply,
    used(usage) {
      account.used(usage)
      realtime?.used(usage)
      journal.used(usage)
    },
  }

  const conversation = parts.openConversation({
    sessionId,
    requestId,
    ...ownParts,
    transfer: transfer && {
      targets: transfer.targets,
      open: async (slug) => partsOf(await transfer.open(slug)),
    },
    inputMode: request.input_mode,
    phone: admitted.phone,
    transport: media.transport,
    onUserAudio: media.audioTap.received,
    playback: media.playback,
    voiceDetector: media.voiceDetector,
    audioFilter: media.audioFilter,
    recognizer: media.recognizer,
    turnDetector: media.turnDetector,
    timeZone: agent.timeZone,
    journal: fullJournal,
    logger,
    startSpan,
    onAgentTurn: realtime?.onAgentTurn,
    // The client speaks its own filler between two responses, if any.
    fillsSilence: realtime === undefined,
  })

  return {
    conversation,
    audioTap: media.audioTap,
    /** The Agent has this config from its next turn on, and speaks or only writes. */
    use(opened: ResolvedAgent, nowSpeaks: boolean) {
      speaks = nowSpeaks
      const mcpTools = { ...admitted.mcpTools, failures: [], close: async () => {} }
      conversation.use(partsOf({ agent: opened, call: { ...call, config: opened.config }, mcpTools }))
    },
    /** Resolves when the conversation has ended, is charged for and is written to its record. */
    async finish() {
      const end = await conversation.ended
      media.releaseRecognizer()
      account.close()
      await Promise.all(speeches.map((speech) => speech.allClosed()))
      await Promise.all([recorder?.finish(), journal.finish(end), ...closing.map((close) => close())])
      return end
    },
    /** To be called after `finish`. Returns at once. Does nothing without memory or an end user. */
    extractMemories() {
      if (!config.memory_enabled || endUserId === null) return
      extractions.start({
        ...{ workspaceId, agentId, endUserId, sessionId, requestId, messages, background: ownParts.background },
        storesTranscript: config.session_config.store_transcript,
        model: config.llm_provider === 'builtin' ? undefined : agent.model,
        settle: (usage) => settleLateUsage({ workspaceId, sessionId, keyId, agentId, usage }),
      })
    },
  }
}
