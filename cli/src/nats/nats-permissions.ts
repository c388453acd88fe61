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

/** What a process does on the bus. An event is sent to a contract by `calls`, and received by `serves` or `listens`. */
interface Traffic {
  readonly serves: readonly Contract[]
  readonly calls: readonly Contract[]
  /** Events of contracts that it does not serve. */
  readonly listens?: readonly string[]
}

const standingChanged = `${authContract.name}.standingChanged`
const voicesWanted = `${catalogContract.name}.voicesWanted`

/** The users of NATS: a service each, and the command line of operators. */
export const traffic: Readonly<Record<string, Traffic>> = {
  agents: {
    serves: [agentsContract, modelProvidersContract],
    calls: [catalogContract, auditContract, languageModelsContract, webhooksContract],
  },
  auth: { serves: [authContract, peopleContract, auditContract], calls: [authContract, webhooksContract] },
  catalog: { serves: [catalogContract], calls: [catalogContract] },
  'end-users': { serves: [calendarContract, memoryContract], calls: [] },
  gateway: {
    serves: [],
    calls: [
      ...[agentsContract, authContract, calendarContract, catalogContract, creditContract, liveSessionsContract],
      ...[memoryContract, peopleContract, sessionsContract, tokensContract, transcriptionContract, ttsContract],
      ...[auditContract, modelProvidersContract, recordingsContract, webhooksContract],
    ],
    listens: [standingChanged],
  },
  sessions: {
    serves: [sessionsContract, liveSessionsContract, recordingsContract, transcriptionContract, languageModelsContract],
    calls: [
      ...[agentsContract, authContract, calendarContract, catalogContract, creditContract, liveSessionsContract],
      ...[auditContract, memoryContract, modelProvidersContract, tokensContract, ttsContract, webhooksContract],
    ],
    listens: [standingChanged],
  },
  tokens: { serves: [tokensContract, creditContract], calls: [agentsContract, auditContract, webhooksContract] },
  tts: { serves: [ttsContract], calls: [ttsContract, catalogContract], listens: [voicesWanted] },
  webhooks: { serves: [webhooksContract], calls: [auditContract] },
  cli: { serves: [], calls: [authContract, creditContract, peopleContract] },
}

/** Subjects that a user of NATS may publish to, and those it may subscribe to. */
export interface NatsPermissions {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
}

/** The prefix of the inboxes of a user, for `NATS_INBOX_PREFIX`. No other user may subscribe to them. */
export const inboxPrefixOf = (user: string): string => `_INBOX_${user}`

const subjectsOf = ({ name }: Contract): string => `parlance.${name}.>`

const calls = (caller: string, called: string): boolean =>
  traffic[caller]!.calls.some((contract) => traffic[called]!.serves.includes(contract))

/** The users whose inboxes a user sends to: replies to its callers; frames of streams to those it calls. */
const peersOf = (user: string): string[] =>
  Object.keys(traffic).filter((other) => calls(user, other) || calls(other, user))

/** What a user may do: call what it calls, serve what it serves, and answer. The rest is denied. Throws for an unknown user. */
export const natsPermissionsOf = (user: string): NatsPermissions => {
  const own = traffic[user]
  if (own === undefined) throw new Error(`There is no user ${user}.`)
  return {
    publish: [...own.calls.map(subjectsOf), ...peersOf(user).map((peer) => `${inboxPrefixOf(peer)}.>`)],
    subscribe: [
      `${inboxPrefixOf(user)}.>`,
      ...own.serves.map(subjectsOf),
      ...(own.listens ?? []).map((event) => `parlance.${event}`),
      ...(own.serves.length > 0 ? ['$SRV.>'] : []),
    ],
  }
}

/** The subjects that a test tries as a user, and those of them that NATS must deny. They have no wildcards. */
export interface NatsTrial {
  readonly tried: NatsPermissions
  readonly denied: NatsPermissions
}

/**
 * A trial of the permissions of a user: with a subject of everything that it may do, of each contract, and of the inboxes of the
 * others. Throws for an unknown user.
 */
export const natsTrialOf = (user: string): NatsTrial => {
  const own = natsPermissionsOf(user)
  const contracts = Object.values(traffic).flatMap(({ serves }) => serves.map(subjectsOf))
  const inboxes = Object.keys(traffic).map((one) => `${inboxPrefixOf(one)}.>`)
  const subjects = (patterns: readonly string[]) =>
    [...new Set(patterns)].map((pattern) => pattern.replace('>', 'anything'))
  const beyond = (patterns: readonly string[], allowed: readonly string[]) =>
    subjects(patterns.filter((pattern) => !allowed.includes(pattern)))
  return {
    tried: {
      publish: subjects([...own.publish, ...contracts]),
      subscribe: subjects([...own.subscribe, ...contracts, ...inboxes]),
    },
    denied: {
      publish: beyond(contracts, own.publish),
      subscribe: beyond([...contracts, ...inboxes], own.subscribe),
    },
  }
}
