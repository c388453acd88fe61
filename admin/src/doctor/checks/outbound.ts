import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type AllowedPlaces, isPublicAddress, parseAllowedPlaces } from '@parlance/egress'
import type { Environment } from '@parlance/runtime'
import { reasonOf, withoutCredentials } from '@parlance/runtime/process'
import { type CheckContext, error, type Finding, ok, warning } from '../check.js'

/** The address at which clouds give a machine its credentials. */
const metadataAddress = '169.254.169.254'
const ownAddresses = ['127.0.0.1', '::1']
const narrow = 'Name single hosts or smaller networks in OUTBOUND_ALLOW.'

const addressesOf = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/** The hosts of OUTBOUND_ALLOW. The other entries are addresses and networks. */
const hostsIn = (list: string): string[] =>
  list
    .split(',')
    .map((place) => place.trim())
    .filter((place) => /[a-z]/i.test(place) && !/[:/]/.test(place))

const checkHost = async (host: string): Promise<Finding[]> => {
  try {
    await lookup(host)
    return []
  } catch (problem) {
    return [error(`${host} of OUTBOUND_ALLOW does not resolve: ${reasonOf(problem)}.`, 'Correct or remove it.')]
  }
}

const mayReach = (allow: AllowedPlaces, host: string, addresses: readonly string[]): boolean =>
  allow.host(host) || addresses.some((address) => isPublicAddress(address) || allow.address(address))

/** The servers of this installation, which customers' addresses must not reach. */
const serverFindings = async (allow: AllowedPlaces, environment: Environment): Promise<Finding[]> => {
  const variables = ['NATS_URL', 'REDIS_URL', 'DATABASE_URL'].filter((variable) => environment[variable])
  const reachable = await Promise.all(
    variables.map(async (variable) => {
      const host = new URL(environment[variable]!.split(',')[0]!).hostname.replace(/^\[|\]$/g, '')
      const addresses = await addressesOf(host).catch(() => [])
      return mayReach(allow, host, addresses) ? [{ variable, host }] : []
    }),
  )
  return reachable
    .flat()
    .map(({ variable, host }) =>
      warning(
        `Webhook tools may call ${host}, the server of ${variable}.`,
        `${narrow} A server needs no public address.`,
      ),
    )
}

const ruleFindings = async (list: string, environment: Environment): Promise<Finding[]> => {
  let allow: AllowedPlaces
  try {
    allow = parseAllowedPlaces(list)
  } catch (problem) {
    return [error(`OUTBOUND_ALLOW: ${reasonOf(problem)}.`, 'Write it as hooks.internal,10.0.0.0/8.')]
  }
  const open = [
    ...(allow.address(metadataAddress)
      ? [error(`Webhook tools may call ${metadataAddress}, where clouds provide credentials.`, narrow)]
      : []),
    ...(ownAddresses.some(allow.address) ? [warning('Webhook tools may call this machine itself.', narrow)] : []),
    ...(await serverFindings(allow, environment)),
    ...(await Promise.all(hostsIn(list).map(checkHost))).flat(),
  ]
  if (open.length > 0) return open
  const beside = list.trim() === '' ? 'nothing else' : `beside it ${list}`
  return [
    ok(
      `Webhook tools may call the public Internet and ${beside}; this machine, its network and its servers are denied.`,
    ),
  ]
}

/** Servers that are called: those with a key or an address in the environment. */
const calledServers = ({ services, environment }: CheckContext): ReadonlyMap<string, string> => {
  const called = new Map<string, string>()
  for (const { env } of services) {
    const { data } = env.safeParse(environment)
    for (const [variable, value] of Object.entries((data ?? {}) as Record<string, unknown>)) {
      const prefix = /^((?:LLM|STT|SEARCH)_\w+)_URL$/.exec(variable)?.[1]
      if (prefix === undefined || typeof value !== 'string') continue
      const isUsed = [variable, `${prefix}_API_KEY`, `${prefix}_API_KEY_FILE`].some((name) => environment[name])
      if (isUsed) called.set(variable, value)
    }
  }
  return called
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'ws:': 80 }

const checkServer = async (variable: string, url: string, signal: AbortSignal): Promise<Finding> => {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({ host, port: Number(port) || (defaultPorts[protocol] ?? 443) })
  try {
    await once(socket, 'connect', { signal })
    return ok(`${withoutCredentials(url)} (${variable}) accepts connections.`)
  } catch (problem) {
    signal.throwIfAborted()
    return error(
      `No connection to ${withoutCredentials(url)} (${variable}): ${reasonOf(problem)}.`,
      'Let this machine reach it, or correct it.',
    )
  } finally {
    socket.destroy()
  }
}

/** Checks where requests to addresses of customers may go, and whether the servers that Parlance calls can be reached. */
export const checkOutbound = async (context: CheckContext, signal: AbortSignal): Promise<Finding[]> => {
  const { environment } = context
  const servers = [...calledServers(context)].map(([variable, url]) => checkServer(variable, url, signal))
  return [...(await ruleFindings(environment.OUTBOUND_ALLOW ?? '', environment)), ...(await Promise.all(servers))]
}
