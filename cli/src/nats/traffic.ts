import {
  agentsContract,
  auditContract,
  authContract,
  type Contract,
  calendarContract,
  catalogContract,
  creditContract,
  languageModelsContract,
  liveSessionsContract,
  memoryContract,
  modelProvidersContract,
  peopleContract,
  recordingsContract,
  sessionsContract,
  tokensContract,
  transcriptionContract,
  ttsContract,
  webhooksContract,
} from '@parlance/contracts'

/** The parts of a contract that a process uses. */
export interface UsedContract {
  readonly contract: Contract
  /** The methods that it calls, and the events that it publishes. */
  readonly methods: readonly string[]
  /** The methods among them that it calls at one instance, or in a lane. */
  readonly addressed: readonly string[]
}

/** The traffic of a process on the bus. An event is published by `calls`, and received by `serves` or `listens`. */
export interface Traffic {
  readonly serves: readonly Contract[]
  readonly calls: readonly UsedContract[]
  /** Events of contracts that it does not serve. */
  readonly listens?: readonly string[]
}

type MethodOf<C extends Contract> = keyof C['methods'] & string

const use = <C extends Contract>(contract: C, ...methods: readonly MethodOf<C>[]): UsedContract => ({
  contract,
  methods,
  addressed: [],
})

/** Methods that are called at one instance, or in a lane. */
const useAt = <C extends Contract>(contract: C, ...methods: readonly MethodOf<C>[]): UsedContract => ({
  contract,
  methods,
  addressed: methods,
})

const useAll = (contract: Contract): UsedContract => use(contract, ...Object.keys(contract.methods))

const standingChanged = `${authContract.name}.standingChanged`
const voicesWanted = `${catalogContract.name}.voicesWanted`

/**
 * The users of NATS: a service each, and the command line of operators. A method is named here before a service calls it,
 * as NATS denies the others, and stays here for one version after it is called no longer: tests/nats-permissions.test.ts
 * compares this with the sources.
 */
export const traffic: Readonly<Record<string, Traffic>> = {
  agents: {
    serves: [agentsContract, modelProvidersContract],
    calls: [
      use(auditContract, 'recordEvents'),
      use(catalogContract, 'findAvatar', 'findVoice'),
      use(languageModelsContract, 'findServers', 'listModels', 'tryProvider'),
      use(webhooksContract, 'recordEvents'),
    ],
  },
  auth: {
    serves: [authContract, peopleContract, auditContract],
    calls: [use(authContract, 'standingChanged'), use(webhooksContract, 'recordEvents')],
  },
  catalog: { serves: [catalogContract], calls: [use(catalogContract, 'voicesWanted')] },
  'end-users': { serves: [calendarContract, memoryContract], calls: [] },
  gateway: {
    serves: [],
    calls: [
      use(
        agentsContract,
        'checkPublish',
        'createAgent',
        'deleteAgent',
        'getAgent',
        'getPublished',
        'listAgents',
        'listPublications',
        'listRevisions',
        'publishAgent',
        'updateAgent',
      ),
      use(auditContract, 'listEntries'),
      use(
        authContract,
        'createKey',
        'getKeyWorkspace',
        'getWorkspace',
        'listKeys',
        'listWorkspaces',
        'recordKeyUse',
        'revokeKey',
        'updateWorkspace',
        'verifyKey',
        'findEndedKeys',
      ),
      use(calendarContract, 'deleteCalendar', 'listOccurrences', 'readFeed', 'signFeed'),
      use(catalogContract, 'findVoice', 'listAvatars', 'listEngines', 'listVoices'),
      use(creditContract, 'getBalance', 'getUsage', 'grant', 'lease', 'requireCredit', 'resolve'),
      use(liveSessionsContract, 'startSession'),
      useAt(liveSessionsContract, 'connectClient', 'endSession', 'listen', 'updateSession'),
      use(memoryContract, 'forget', 'listMemories'),
      use(
        modelProvidersContract,
        'createProvider',
        'deleteProvider',
        'findModelServers',
        'listProviderModels',
        'listProviders',
        'testProvider',
      ),
      use(
        peopleContract,
        'createInvitedPerson',
        'getInvitation',
        'getMember',
        'getOperator',
        'getSignedIn',
        'handleAccountRequest',
        'listIdentityProviders',
      ),
      use(recordingsContract, 'deleteOfEndUser', 'getRecording', 'getSettings', 'putSettings', 'readRecording'),
      use(
        sessionsContract,
        'deleteSession',
        'endSession',
        'findInstance',
        'getAnalysis',
        'getEvaluation',
        'getIceServers',
        'getOverview',
        'getProgress',
        'getSession',
        'listMessages',
        'listSessions',
        'listToolCalls',
        'listTurns',
        'putEvaluation',
        'tryTool',
      ),
      use(
        tokensContract,
        'checkSessionToken',
        'checkStreamToken',
        'consumeStreamToken',
        'mintDraftSessionToken',
        'mintSessionToken',
        'mintStreamToken',
        'readSessionToken',
      ),
      use(transcriptionContract, 'listRecognizers', 'transcribe'),
      useAt(ttsContract, 'synthesize'),
      use(
        webhooksContract,
        'createWebhook',
        'deleteWebhook',
        'getWebhook',
        'listDeliveries',
        'listWebhooks',
        'replayDelivery',
        'rotateSecret',
        'updateWebhook',
      ),
    ],
    listens: [standingChanged],
  },
  sessions: {
    serves: [sessionsContract, liveSessionsContract, recordingsContract, transcriptionContract, languageModelsContract],
    calls: [
      use(agentsContract, 'getAgent', 'getPublished'),
      use(auditContract, 'recordEvents'),
      use(authContract, 'findEndedKeys'),
      use(
        calendarContract,
        'cancelEvent',
        'createEvent',
        'getEvent',
        'listOccurrences',
        'moveEvent',
        'planEvent',
        'planMove',
      ),
      use(catalogContract, 'findAvatar', 'findVoice'),
      use(creditContract, 'lease', 'resolve'),
      useAt(liveSessionsContract, 'endSession'),
      use(memoryContract, 'recall', 'remember'),
      use(modelProvidersContract, 'getSealedProvider'),
      use(tokensContract, 'consumeSessionToken'),
      useAt(ttsContract, 'synthesize'),
      use(webhooksContract, 'recordEvents'),
    ],
    listens: [standingChanged],
  },
  tokens: {
    serves: [tokensContract, creditContract],
    calls: [
      use(agentsContract, 'checkPublish', 'getPublished'),
      use(auditContract, 'recordEvents'),
      use(webhooksContract, 'recordEvents'),
    ],
  },
  tts: {
    serves: [ttsContract],
    calls: [use(catalogContract, 'voicesOffered')],
    listens: [voicesWanted],
  },
  webhooks: { serves: [webhooksContract], calls: [use(auditContract, 'recordEvents')] },
  // An operator may do everything with workspaces, credit and people, and add model providers.
  cli: {
    serves: [],
    calls: [
      useAll(authContract),
      useAll(creditContract),
      useAll(peopleContract),
      use(modelProvidersContract, 'createProvider', 'findModelServers', 'listProviders'),
    ],
  },
}
