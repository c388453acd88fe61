import {
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

/** An operator may do everything with workspaces, credit and people, and add model providers. */
const cli: Traffic = {
  serves: [],
  calls: {
    [authContract.name]: methodsOf(authContract),
    [creditContract.name]: methodsOf(creditContract),
    [modelProvidersContract.name]: ['createProvider', 'findModelServers', 'listProviders'],
    [peopleContract.name]: methodsOf(peopleContract),
  },
  listens: [],
}

/** The users of NATS: a service each, and the command line of operators. NATS denies every method that is not here. */
export const traffic: Readonly<Record<string, Traffic>> = {
  ...serviceTraffic,
  cli,
}
