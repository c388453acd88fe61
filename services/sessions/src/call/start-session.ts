/**
 * From a request to a conversation. What is asked in which order is what keeps a token good that starts nothing: room, the
 * Agent, the offer, the Agent's limit, credit, and last the token. Whatever fails gives back all that came before it.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { CallContext, Client } from '@parlance/bus'
import { type CreditReserver, printCredit } from '@parlance/clients/credit'
import type { SessionPlace, SessionRegistry, UnconnectedStarts } from '@parlance/clients/session-registry'
import type { OpenSpeechBill, Synthesize, VoicePrices } from '@parlance/clients/speech'
import {
  type agentsContract,
  type catalogContract,
  type IceServer,
  ServiceError,
  type SessionGrant,
  type SessionRequest,
  type StartedSession,
  timeZoneSchema,
  type tokensContract,
} from '@parlance/contracts'
import type { Logger, Metrics } from '@parlance/telemetry'
import { withConnectDeadline } from '../media/connect-deadline.js'
import type { OpenedTransport } from '../media/opened-transport.js'
import { createWebsocketTransport } from '../media/websocket/websocket-transport.js'
import type { MemoryExtractions } from '../memory/memory-extractions.js'
import { createMemoryExtractor } from '../memory/memory-extractor.js'
import { createSessionJournal } from '../records/session-journal.js'
import type { SessionRepository } from '../records/session-repository.js'
import type { OpenTools } from '../tools/open-tools.js'
import { openSessionAccount } from './account/session-account.js'
import { createSessionSpeech } from './account/session-speech.js'
import type { FetchBackground } from './background.js'
import type { Conversation } from './conversation/conversation.js'
import type { ConversationParts } from './conversation-parts.js'
import type { LiveSession } from './live-session.js'
import { personalConfig } from './personal-config.js'
import { createUndo } from './undo.js'

export interface StartSessionOptions {
  readonly instanceId: string
  readonly parts: ConversationParts
  readonly agents: Pick<Client<typeof agentsContract>, 'getPublished'>
  readonly catalog: Pick<Client<typeof catalogContract>, 'findAvatar'>
  readonly tokens: Pick<Client<typeof tokensContract>, 'consumeSessionToken'>
  readonly sessions: Pick<SessionRepository, 'create' | 'remove' | 'write' | 'addLateUsage'>
  readonly registry: SessionRegistry
  readonly unconnectedStarts: Pick<UnconnectedStarts, 'add'>
  readonly reserver: Pick<CreditReserver, 'reserve'>
  readonly priceOf: VoicePrices
  readonly openBill: OpenSpeechBill
  readonly synthesize: Synthesize
  readonly iceServersFor: (name: string) => IceServer[]
  readonly openTools: OpenTools
  readonly fetchBackground: FetchBackground
  readonly extractions: Pick<MemoryExtractions, 'start'>
  readonly creditPerMinute: string
  readonly firstAudioDeadlineMs: number
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'sessionEnded' | 'sessionVoiceToVoice'>
}

export interface SessionStart {
  readonly grant: SessionGrant
  readonly token: string
  readonly request: SessionRequest
  /** Of the workspace; 0 for no limit. */
  readonly maxConcurrentSessions: number
  readonly context: CallContext
}

/** Rejects with what `startSession` of the contract answers. */
export type StartSession = (start: SessionStart) => Promise<{ session: LiveSession; answer: StartedSession }>

/** The user's, where the backend told it by a variable. */
const timeZoneOf = ({ variables }: SessionGrant): string => timeZoneSchema.safeParse(variables.time_zone).data ?? 'UTC'

/** Time left of what is reserved when there is no credit for more, of which this much is used to say good-bye. */
const outOfCreditMs = 5_000
/** How long the record of where it is outlives the longest conversation. */
const placeMarginMs = 15 * 60_000

export const createStartSession = (options: StartSessionOptions): StartSession => {
  const { instanceId, parts, agents, catalog, tokens, sessions, registry, logger, metrics } = options

  const openTransport = async (request: SessionRequest, requestId: string): Promise<OpenedTransport> => {
    if (request.transport === 'webrtc')
      return parts.openWebrtcTransport(request.sdp?.sdp ?? '', {
        requestId,
        needsAudio: request.modalities.includes('audio'),
      })
    const transport = createWebsocketTransport({ requestId })
    const update = async () => {
      throw new ServiceError('invalid_sdp', 'A conversation over a WebSocket negotiates nothing.')
    }
    return { transport, answer: null, update, peer: transport }
  }

  const findAvatar = async (avatarId: string | null, context: CallContext) =>
    avatarId === null ? null : catalog.findAvatar({ avatar_id: avatarId }, { context }).catch(() => null)

  return async ({ grant, token, request, maxConcurrentSessions, context }) => {
    const { workspace_id: workspaceId, agent_id: agentId, key_id: keyId } = grant
    const { requestId } = context
    const sessionId = randomUUID()
    const undo = createUndo((err) =>
      logger.warn({ sessionId, err }, 'what a conversation had taken was not given back'),
    )
    try {
      const published = await agents.getPublished({ workspace_id: workspaceId, agent_id: agentId }, { context })
      const { publication } = published
      const timeZone = timeZoneOf(grant)
      const { config, greetsPersonally, unknown } = personalConfig(published.config, grant, timeZone, new Date())
      if (config.voice_config.tts_variant === null) {
        throw new ServiceError(
          'agent_not_api_ready',
          'Choose a TTS variant in the voice_config of the Agent and publish it.',
        )
      }
      const model = parts.findLanguageModel(config.llm_provider, config.llm_model)
      const known = { workspaceId, agentId, sessionId, requestId, config, endUserId: grant.end_user_id, timeZone }
      // Asked for while the connection is being set up, so that no turn need wait for it.
      const background = options.fetchBackground(known, grant.metadata)
      if (unknown.length > 0) {
        const count = unknown.length
        logger.warn(
          { requestId, sessionId, agentId, count },
          'An Agent asks for variables that its token does not have',
        )
      }
      const { voice_id: voice, voice_config } = config
      const { languages } = await options.priceOf({ voice, variant: voice_config.tts_variant }, context)
      const avatar = await findAvatar(config.avatar_id, context)

      const transport = await openTransport(request, requestId)
      undo.add(() => transport.transport.close())

      await sessions.create(
        {
          id: sessionId,
          workspaceId,
          agentId,
          publication,
          instanceId,
          endUserId: grant.end_user_id,
          transport: request.transport,
          inputMode: request.input_mode,
          metadata: request.metadata,
        },
        { ofWorkspace: maxConcurrentSessions, ofAgent: config.session_config.max_concurrent_sessions },
      )
      undo.add(() => sessions.remove(workspaceId, sessionId))

      const { creditPerMinute, reserver } = options
      let conversation: Conversation | undefined
      const account = await openSessionAccount({
        reserver,
        workspaceId,
        keyId,
        agentId,
        creditPerMinute,
        onInsufficientCredit: () => conversation?.end('insufficient_credit', outOfCreditMs),
      })
      undo.add(() => account.close())

      await tokens.consumeSessionToken({ token, agent_id: agentId }, { context })

      const place: SessionPlace = {
        instance_id: instanceId,
        workspace_id: workspaceId,
        agent_id: agentId,
        key_id: keyId,
        token_sha256: createHash('sha256').update(token).digest('hex'),
      }
      await registry.put(sessionId, place, config.session_config.max_duration_seconds * 1000 + placeMarginMs)
      undo.add(() => registry.remove(sessionId))

      const speech = createSessionSpeech({
        openBill: options.openBill,
        synthesize: options.synthesize,
        workspaceId,
        keyId,
        agentId,
        requestId,
        config,
        firstAudioDeadlineMs: options.firstAudioDeadlineMs,
        onSpoken: (characters) => journal.spoke(characters),
      })
      const creditUsed = () => printCredit(account.chargedNano() + speech.chargedNano())
      const journal = createSessionJournal({
        sessions,
        workspaceId,
        sessionId,
        creditUsed,
        logger,
        storeTranscript: config.session_config.store_transcript,
      })
      const memoryExtractor = createMemoryExtractor({
        extractions: options.extractions,
        sessions,
        reserver,
        logger,
        grant,
        sessionId,
        requestId,
        config,
        model,
        background,
      })
      const hears = request.modalities.includes('audio')
      const recognizer = hears ? parts.findRecognizer(config.stt_config.language) : undefined
      // From now on, so that a recogniser is ready before the first utterance ends.
      const releaseRecognizer = recognizer?.keepWarm?.() ?? (() => {})
      undo.add(releaseRecognizer)
      const voiceDetector = hears ? parts.openVoiceDetector() : undefined
      undo.add(() => voiceDetector?.close())
      const peer = withConnectDeadline(transport.transport, () => void options.unconnectedStarts.add(workspaceId))
      const playback = parts.createPlayback(peer)
      undo.add(() => playback.close())
      const tools = options.openTools(known)
      const held = parts.openConversation({
        sessionId,
        requestId,
        config,
        inputMode: request.input_mode,
        model,
        logger,
        transport: peer,
        playback,
        voiceDetector,
        recognizer,
        tools,
        voiceLanguage: voice_config.language ?? languages[0]!,
        background,
        // What tells of one user is in no cache that speaks to others.
        speakSegment: greetsPersonally
          ? (segment, given) => speech.speakSegment(segment, { ...given, private: true })
          : speech.speakSegment,
        journal: {
          ...journal,
          message(message) {
            memoryExtractor.add(message)
            journal.message(message)
          },
          started() {
            account.start()
            journal.started()
          },
          turn(turn) {
            if (turn.voice_to_voice_ms !== null) metrics.sessionVoiceToVoice(turn.voice_to_voice_ms / 1000)
            journal.turn(turn)
          },
          used(usage) {
            account.used(usage)
            journal.used(usage)
          },
        },
      })
      conversation = held

      const finish = async (): Promise<void> => {
        const end = await held.ended
        releaseRecognizer()
        account.close()
        await speech.allClosed()
        await journal.finish(end)
        await registry.end(sessionId, place).catch((err: unknown) => {
          logger.warn({ sessionId, err }, 'where a conversation was could not be taken back')
        })
        metrics.sessionEnded(end.reason)
        logger.info({ requestId, sessionId, workspaceId, code: end.reason }, 'conversation over')
      }
      const over = finish().catch((err: unknown) => {
        logger.error({ sessionId, err }, 'a conversation did not end cleanly')
      })
      void over.then(memoryExtractor.extract)
      const session: LiveSession = {
        id: sessionId,
        place,
        transport,
        end: (reason, deadlineMs) => held.end(reason, deadlineMs),
        over,
      }
      const answer: StartedSession = {
        session_id: sessionId,
        agent_id: agentId,
        publication: { id: publication.id, version: publication.version },
        status: 'connecting',
        sdp: transport.answer === null ? null : { type: 'answer', sdp: transport.answer },
        ice_servers: options.iceServersFor(sessionId),
        max_duration_seconds: config.session_config.max_duration_seconds,
        avatar,
      }
      return { session, answer }
    } catch (error) {
      await undo.run()
      throw error
    }
  }
}
