import * as contracts from '@parlance/contracts'
import {
  agentTestMethods,
  authContract,
  type Contract,
  creditContract,
  modelProvidersContract,
  peopleContract,
} from '@parlance/contracts'
import { serviceTraffic } from './service-traffic.js'

/** What a process does on the bus, with the names of contracts. */
export interface Traffic {
  /** The contracts that it serves. */
  readonly serves: readonly string[]
  /** The methods that it calls, and the events that it publishes, by their contract. */
  readonly calls: Readonly<Record<string, readonly string[]>>
  /** The events that it receives of contracts that it does not serve, such as `auth.standingChanged`. */
  readonly listens: readonly string[]
}

const methodsOf = ({ methods }: Contract): string[] => Object.keys(methods)

/** An operator may do everything with workspaces, credit and people, add model providers, and test Agents. */
const cli: Traffic = {
  serves: [],
  calls: {
    [authContract.name]: methodsOf(authContract),
    [creditContract.name]: methodsOf(creditContract),
    [modelProvidersContract.name]: ['createProvider', 'findModelServers', 'listProviders'],
    [peopleContract.name]: methodsOf(peopleContract),
    ...agentTestMethods,
  },
  listens: [],
}

/** The users of NATS: a service each, and the command line of operators. NATS denies every method that is not here. */
export const traffic: Readonly<Record<string, Traffic>> = {
  ...serviceTraffic,
  cli,
}

const contractsByName: ReadonlyMap<string, contracts.Contract> = new Map(
  Object.entries(contracts)
    .filter(([name]) => name.endsWith('Contract'))
    .map(([, value]) => value as contracts.Contract)
    .map((contract) => [contract.name, contract]),
)

/** Subjects that a user of NATS may publish to, and those it may subscribe to. */
interface NatsPermissions {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
}

/** The prefix of the inboxes of a user, for `NATS_INBOX_PREFIX`. No other user may subscribe to them. */
export const inboxPrefixOf = (user: string): string => `_INBOX_${user}`

const servedSubjects = (contract: string): string => `parlance.${contract}.>`

/** Only the subjects of these methods, because most contracts have further methods that the service must not call. */
const calledSubjects = ([contract, methods]: [string, readonly string[]]): string[] =>
  methods.flatMap((method) => {
    const subject = `parlance.${contract}.${method}`
    return contractsByName.get(contract)?.isAddressed ? [subject, `${subject}.>`] : [subject]
  })

const calls = (caller: string, called: string): boolean =>
  traffic[called]!.serves.some((contract) => contract in traffic[caller]!.calls)

/** The users whose inboxes a user sends to: replies to its callers; frames of streams to those it calls. */
const peersOf = (user: string): string[] =>
  Object.keys(traffic).filter((other) => calls(user, other) || calls(other, user))

/** The permissions of a user: calling and serving its methods, and replying. The rest is denied. Throws for an unknown user. */
export const natsPermissionsOf = (user: string): NatsPermissions => {
  const own = traffic[user]
  if (own === undefined) throw new Error(`There is no user ${user}.`)
  return {
    publish: [
      ...Object.entries(own.calls).flatMap(calledSubjects),
      ...peersOf(user).map((peer) => `${inboxPrefixOf(peer)}.>`),
    ],
    subscribe: [
      `${inboxPrefixOf(user)}.>`,
      ...own.serves.map(servedSubjects),
      ...own.listens.map((event) => `parlance.${event}`),
      ...(own.serves.length > 0 ? ['$SRV.>'] : []),
    ],
  }
}

/** The subjects that a test tries as a user, and those of them that NATS must deny. They have no wildcards. */
interface NatsTrial {
  readonly tried: NatsPermissions
  readonly denied: NatsPermissions
}

/** Every method of a contract, and an unknown method. */
const methodSubjects = (contract: string): string[] =>
  [...Object.keys(contractsByName.get(contract)!.methods), 'anything'].map((method) => `parlance.${contract}.${method}`)

/**
 * A trial of the permissions of a user: with a subject for everything that it may do, for each method of each contract, and for
 * the inboxes of the others. Throws for an unknown user.
 */
export const natsTrialOf = (user: string): NatsTrial => {
  const own = natsPermissionsOf(user)
  const served = Object.values(traffic).flatMap(({ serves }) => serves)
  const inboxes = Object.keys(traffic).map((one) => `${inboxPrefixOf(one)}.>`)
  const subjects = (patterns: readonly string[]) =>
    [...new Set(patterns)].map((pattern) => pattern.replace('>', 'anything'))
  const beyond = (patterns: readonly string[], allowed: readonly string[]) =>
    subjects(patterns.filter((pattern) => !allowed.includes(pattern)))
  const methods = served.flatMap(methodSubjects)
  const servedPatterns = served.map(servedSubjects)
  return {
    tried: {
      publish: subjects([...own.publish, ...methods]),
      subscribe: subjects([...own.subscribe, ...servedPatterns, ...inboxes]),
    },
    denied: {
      publish: beyond(methods, own.publish),
      subscribe: beyond([...servedPatterns, ...inboxes], own.subscribe),
    },
  }
}
