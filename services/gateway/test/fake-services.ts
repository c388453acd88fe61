import { createInProcessBus, type HandlerContext, type Handlers, serve } from '@parlance/bus'
import { createSessionRegistry } from '@parlance/clients/session-registry'
import type { Principal, SynthesisChunk, SynthesisRequest } from '@parlance/contracts'
import {
  agentsContract,
  auditContract,
  authContract,
  calendarContract,
  catalogContract,
  creditContract,
  knowledgeContract,
  liveSessionsContract,
  memoryContract,
  modelProvidersContract,
  peopleContract,
  phoneNumbersContract,
  ServiceError,
  sessionsContract,
  tokensContract,
  transcriptionContract,
  ttsContract,
  webhooksContract,
} from '@parlance/contracts'
import type { TtlStore } from '@parlance/store'
import { fakeHandlers } from '@parlance/testing'
import { createGatewayClients } from '../src/gateway-clients.js'
import { createFakeAgents } from './fake-agents.js'
import { createFakeAudit } from './fake-audit.js'
import { createFakeAuth, keyId, workspaceId } from './fake-auth.js'
import { createFakeCalendar } from './fake-calendar.js'
import { createFakeCredit } from './fake-credit.js'
import { createFakeKnowledge } from './fake-knowledge.js'
import { createFakeMemory } from './fake-memory.js'
import { createFakeModelProviders } from './fake-model-providers.js'
import { createFakePeople } from './fake-people.js'
import { createFakePhoneNumbers } from './fake-phone-numbers.js'
import { serveFakeRecordings } from './fake-recordings.js'
import { createFakeReserver } from './fake-reserver.js'
import { createFakeSessions, sessionsInstance } from './fake-sessions.js'
import { createFakeTokens } from './fake-tokens.js'
import { createFakeTranscription } from './fake-transcription.js'
import { ada, lane, voiceId } from './fake-voice.js'
import { createFakeWebhooks } from './fake-webhooks.js'

export { keyId, lane, voiceId, workspaceId }

/** Stand-ins for the services behind the gateway. Each follows its contract and can be made to fail. */

export const otherWorkspaceId = '6b0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'

const principal = (fields: Partial<Principal> = {}): Principal => ({
  key_id: keyId,
  workspace_id: workspaceId,
  capabilities: ['tts', 'stt', 'agents'],
  suspended: false,
  ...fields,
})

/** Keys by their outcome. */
export const keys = {
  good: 'awp_dev_good',
  ofOther: 'awp_dev_ofOther',
  suspended: 'awp_dev_suspended',
  suspendedWithoutTts: 'awp_dev_suspendedWithoutTts',
  withoutTts: 'awp_dev_withoutTts',
  withoutStt: 'awp_dev_withoutStt',
  withoutAgents: 'awp_dev_withoutAgents',
  unreachable: 'awp_dev_unreachable',
  broken: 'awp_dev_broken',
} as const

const holders: Record<string, Principal> = {
  [keys.good]: principal(),
  [keys.ofOther]: principal({ workspace_id: otherWorkspaceId }),
  [keys.suspended]: principal({ suspended: true }),
  [keys.suspendedWithoutTts]: principal({ suspended: true, capabilities: [] }),
  [keys.withoutTts]: principal({ capabilities: ['stt', 'agents'] }),
  [keys.withoutStt]: principal({ capabilities: ['tts', 'agents'] }),
  [keys.withoutAgents]: principal({ capabilities: ['tts', 'stt'] }),
}

export const authenticate = async (authorization: string | undefined): Promise<Principal> => {
  const key = authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : ''
  if (key === keys.unreachable) throw new ServiceError('unavailable', 'The key cannot be checked now. Try again.')
  if (key === keys.broken) throw new Error('secret internal trouble')
  const holder = Object.hasOwn(holders, key) ? holders[key] : undefined
  if (holder === undefined) throw new ServiceError('unauthorized', 'Send a workspace API key.')
  return holder
}

export type Synthesize = (
  request: SynthesisRequest,
  context: HandlerContext<(typeof ttsContract)['methods']['synthesize']['errors'][number]>,
) => AsyncIterable<SynthesisChunk>

const partBytes = 4096

/** The chunks of a speech service for `bytes` of audio: parts of at most 4 KiB, and one item of each kind of alignment. */
export const chunksOf = (
  request: SynthesisRequest,
  bytes: Uint8Array = Buffer.from(request.text),
): SynthesisChunk[] => {
  const parts = Math.ceil(bytes.length / partBytes)
  const item = { text: 'a', start_ms: 0, end_ms: 100 }
  return [
    { event: 'started', output: request.output, queue_ms: 0.125, ttfa_ms: 3.25 },
    ...Array.from({ length: parts }, (_, seq) => ({
      event: 'audio' as const,
      seq,
      segment: 0,
      start_ms: seq * 100,
      duration_ms: 100,
      data: bytes.subarray(seq * partBytes, (seq + 1) * partBytes),
    })),
    {
      event: 'alignment',
      segment: 0,
      words: [item],
      phonemes: [item],
      visemes: [{ id: 'aa', start_ms: 0, end_ms: 100 }],
    },
    { event: 'segment', segment: 0, characters: [...request.text].length },
    {
      event: 'done',
      audio_duration_ms: parts * 100,
      characters_billed: [...request.text].length,
      ttfa_ms: 3.25,
    },
  ]
}

export const spoken = async function* (request: SynthesisRequest, bytes?: Uint8Array): AsyncGenerator<SynthesisChunk> {
  yield* chunksOf(request, bytes)
}

export const fakeEngine = { name: lane, synthesis: 'formant', workers: 1, voices: 1 } as const

export interface FakeServices {
  /** The response of the speech service to the next requests. */
  synthesize: Synthesize
  /** The last request to the speech service. */
  lastRequest: SynthesisRequest | undefined
  /** The tags of the voice. */
  tags: string[]
  /** The last request for a list to the catalog. */
  lastPage: object | undefined
  /** The reply to `listVoices`; an error to fail with. */
  voices: string | ServiceError
  /** The error with which streams are refused, if any. */
  admission: 'insufficient_credit' | 'organization_suspended' | 'capability_disabled' | undefined
  /** The limit of open streams of the workspace. Default: that of the contract. */
  streamLimit: number | undefined
  /** Whether the key that minted every token is revoked. */
  revoked: boolean
  /** The requests of `updateWorkspace` and `listWorkspaces`, in order. */
  changes: object[]
  /** The requested voices of `findVoice`, in order. */
  looked: string[]
  /** Each look-up of a voice waits for this. */
  beforeFinding: () => Promise<void>
}

export const voicesReply = '{ "voices": [] ,\n"next_cursor": null, "as it was": "written" }'

/** The fakes, and clients that reach them over a separate bus. */
export const openFakeServices = async (ttl: TtlStore) => {
  const agents = createFakeAgents()
  const audit = createFakeAudit()
  const calendar = createFakeCalendar()
  const credit = createFakeCredit()
  const tokens = createFakeTokens()
  const knowledge = createFakeKnowledge()
  const memory = createFakeMemory()
  const modelProviders = createFakeModelProviders()
  const people = createFakePeople(workspaceId, keyId)
  const transcription = createFakeTranscription()
  const webhooks = createFakeWebhooks()
  const registry = createSessionRegistry(ttl)
  const sessions = createFakeSessions(registry)
  const bus = createInProcessBus()
  const recordings = await serveFakeRecordings(bus)
  const fakes: FakeServices = {
    synthesize: (request) => spoken(request),
    lastRequest: undefined,
    tags: [],
    lastPage: undefined,
    voices: voicesReply,
    admission: undefined,
    streamLimit: undefined,
    revoked: false,
    changes: [],
    looked: [],
    beforeFinding: () => Promise.resolve(),
  }
  const listed = (page: object) => {
    fakes.lastPage = page
    if (fakes.voices instanceof ServiceError) throw fakes.voices
    return Buffer.from(fakes.voices)
  }
  const requireCredit: Handlers<typeof creditContract>['requireCredit'] = (_request, { fail }) =>
    fakes.admission === 'insufficient_credit' ? fail('insufficient_credit', 'There is no credit left.') : {}
  const served = [
    await serve(bus, agentsContract, agents.handlers, { instanceId: 'agents' }),
    await serve(bus, auditContract, audit.handlers, { instanceId: 'audit' }),
    await serve(bus, creditContract, { ...credit.handlers, requireCredit }, { instanceId: 'credit' }),
    await serve(bus, calendarContract, calendar.handlers, { instanceId: 'end-users' }),
    await serve(bus, peopleContract, people.handlers, { instanceId: 'people' }),
    recordings.served,
    await serve(bus, knowledgeContract, knowledge.handlers, { instanceId: 'knowledge' }),
    await serve(bus, memoryContract, memory.handlers, { instanceId: 'memory' }),
    await serve(bus, modelProvidersContract, modelProviders.handlers, { instanceId: 'agents' }),
    await serve(bus, phoneNumbersContract, createFakePhoneNumbers().handlers, { instanceId: 'agents' }),
    await serve(bus, tokensContract, tokens.handlers, { instanceId: 'tokens' }),
    await serve(bus, transcriptionContract, transcription.handlers, { instanceId: 'transcription' }),
    await serve(bus, authContract, createFakeAuth(fakes), { instanceId: 'auth' }),
    await serve(
      bus,
      ttsContract,
      {
        synthesize(request, context) {
          fakes.lastRequest = request
          return fakes.synthesize(request, context)
        },
      },
      { instanceId: 'tts', lane },
    ),
    await serve(
      bus,
      catalogContract,
      fakeHandlers(catalogContract, {
        listVoices: listed,
        listEngines: () => ({ engines: [fakeEngine] }),
        listAvatars: () => ({ avatars: [], next_cursor: null }),
        async findVoice({ voice }, { fail }) {
          fakes.looked.push(voice)
          await fakes.beforeFinding()
          return [voiceId, 'ada'].includes(voice.toLowerCase())
            ? { ...ada, tags: fakes.tags }
            : fail('voice_not_found', 'There is no such voice.')
        },
        findAvatar: (_request, { fail }) => fail('avatar_not_found', 'There is no such avatar.'),
      }),
      { instanceId: 'catalog' },
    ),
  ]
  const servedWebhooks = await serve(bus, webhooksContract, webhooks.handlers, { instanceId: 'webhooks' })
  served.push(servedWebhooks)
  const liveSessions = await serve(bus, liveSessionsContract, sessions.live, { instanceId: sessionsInstance })
  served.push(liveSessions, await serve(bus, sessionsContract, sessions.records, { instanceId: sessionsInstance }))
  return {
    fakes,
    registry,
    sessions,
    liveSessions,
    clients: createGatewayClients(bus),
    fakeTranscription: transcription.fake,
    auditRequests: audit.requests,
    agentRequests: agents.requests,
    calendarRequests: calendar.requests,
    creditRequests: credit.requests,
    tokenRequests: tokens.requests,
    modelProviderRequests: modelProviders.requests,
    recordings,
    peopleRequests: people.requests,
    knowledgeRequests: knowledge.requests,
    memoryRequests: memory.requests,
    webhookRequests: webhooks.requests,
    /** Serves webhooks until it is closed. */
    stopWebhooks: () => servedWebhooks.stop(),
    reserver: createFakeReserver(),
    async close() {
      for (const service of served) await service.stop()
      await bus.close()
    },
  }
}
