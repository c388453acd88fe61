import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createSecretReader, readSecretSetting } from '@parlance/runtime'
import { reasonOf } from '@parlance/runtime/process'
import { iceServers } from '@parlance/service-sessions/ice-servers'
import { type CheckContext, error, type Finding, ok, skipped } from '../check.js'
import { addressText, probeStun } from '../network/stun.js'
import { allocateTurn } from '../network/turn-client.js'

interface ServerAddress {
  readonly url: string
  readonly scheme: string
  readonly host: string
  readonly port: number
  readonly transport: 'udp' | 'tcp' | 'tls'
}

const pattern = /^(stuns?|turns?):(\[[\da-f:.]+\]|[^:?]+)(?::(\d+))?(?:\?transport=(udp|tcp))?$/i

/** Reads `turn:turn.example.com:3478?transport=udp` and the like; undefined for anything else. */
const parseServer = (url: string): ServerAddress | undefined => {
  const [, scheme = '', host = '', port, transport] = pattern.exec(url) ?? []
  if (scheme === '') return undefined
  const isSecure = scheme.toLowerCase().endsWith('s')
  return {
    url,
    scheme: scheme.toLowerCase(),
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port ?? (isSecure ? 5349 : 3478)),
    transport: isSecure ? 'tls' : transport === 'tcp' ? 'tcp' : 'udp',
  }
}

const addressesIn = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '')

const startIt = 'Start the server, correct its address, and let UDP pass to it.'

const checkConnection = async (
  { url, host, port, transport }: ServerAddress,
  signal: AbortSignal,
): Promise<Finding> => {
  const isSecure = transport === 'tls'
  const socket = isSecure
    ? connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }) })
    : connectTcp({ host, port })
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', { signal })
    return ok(`${url} accepts connections; its credentials are not checked over ${transport.toUpperCase()}.`)
  } catch (problem) {
    signal.throwIfAborted()
    return error(
      `No connection to ${url}: ${reasonOf(problem)}.`,
      'Start the server, or correct its address and certificate.',
    )
  } finally {
    socket.destroy()
  }
}

const checkStun = async (server: ServerAddress, signal: AbortSignal): Promise<Finding> => {
  try {
    const { mapped, roundTripMs } = await probeStun(server, signal, 4)
    if (mapped !== undefined) {
      return ok(
        `${server.url} responds in ${roundTripMs?.toFixed(1)} ms, and sees this machine as ${addressText(mapped)}.`,
      )
    }
    return error(`${server.url} does not respond to STUN requests.`, startIt)
  } catch (problem) {
    signal.throwIfAborted()
    return error(`${server.url}: ${reasonOf(problem)}.`, startIt)
  }
}

const checkTurn = async (server: ServerAddress, secret: string | undefined, signal: AbortSignal): Promise<Finding> => {
  const [ice] = iceServers({ stunUrls: [], turnUrls: [server.url], turnSecret: secret }, randomUUID(), Date.now())
  const { username, credential } = ice ?? {}
  if (username === undefined || credential === undefined) {
    return error(
      `TURN_SECRET is not set, so browsers are not sent ${server.url}.`,
      'Set TURN_SECRET or TURN_SECRET_FILE.',
    )
  }
  const relayed = await allocateTurn({ ...server, username, credential })
  if (relayed !== undefined) return ok(`${server.url} allocates ${relayed} for the credentials of TURN_SECRET.`)
  const stun = await checkStun(server, signal)
  return stun.status === 'ok'
    ? error(
        `${server.url} responds, but allocates no address.`,
        'Give it the secret of TURN_SECRET (use-auth-secret), and ports.',
      )
    : error(`${server.url} does not respond.`, startIt)
}

/** STUN and TURN servers: a Binding request to each, and an allocation with the credentials that browsers get. */
export const checkIce = async ({ environment }: CheckContext, signal: AbortSignal): Promise<Finding[]> => {
  const urls = [...addressesIn(environment.STUN_URLS), ...addressesIn(environment.TURN_URLS)]
  if (urls.length === 0) return [skipped('STUN_URLS and TURN_URLS are not set here.')]
  const secret = readSecretSetting(environment, 'TURN_SECRET', createSecretReader(environment))
  return Promise.all(
    urls.map((url) => {
      const server = parseServer(url)
      if (server === undefined)
        return error(`${url} is not the address of a STUN or TURN server.`, 'Write it as turn:host:port.')
      if (server.transport !== 'udp') return checkConnection(server, signal)
      return server.scheme === 'turn' ? checkTurn(server, secret, signal) : checkStun(server, signal)
    }),
  )
}
