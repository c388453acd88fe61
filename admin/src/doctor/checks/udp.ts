import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { withTimeout } from '@parlance/async'
import { isPublicAddress } from '@parlance/egress'
import { reasonOf } from '@parlance/runtime/process'
import { type CheckContext, error, type Finding, ok, skipped, warning } from '../check.js'
import { addressText, openStunResponder, probeStun } from '../network/stun.js'

/** How long the answering side waits for a first request, and how long it answers further ones. */
const answerForMs = 60_000
const goOnMs = 3_000

export const udpTimeoutMs = answerForMs + goOnMs + 5_000

const openFirewall = 'Let UDP pass to the port in firewalls and load balancers, or set TURN_URLS.'

/** The client side: checks whether UDP requests to the address are answered. */
const probe = async ({ host, port }: { host: string; port: number }, signal: AbortSignal): Promise<Finding> => {
  const place = `${host}:${port}`
  let result: Awaited<ReturnType<typeof probeStun>>
  try {
    result = await probeStun({ host, port }, signal)
  } catch (problem) {
    signal.throwIfAborted()
    return error(`The name ${host} does not resolve: ${reasonOf(problem)}.`, 'Correct --udp-to.')
  }
  const { sent, answered, roundTripMs, mapped } = result
  if (mapped === undefined || roundTripMs === undefined) {
    return error(
      `No STUN request to ${place} was answered.`,
      `Run \`npx parlance doctor --only udp --udp-answer ${port}\` there at the same time. ${openFirewall}`,
    )
  }
  const found = `${answered} of ${sent} STUN requests to ${place} were answered in ${roundTripMs.toFixed(1)} ms; they came from ${addressText(mapped)}.`
  return answered === sent ? ok(found) : warning(found, 'Look for packet loss on the way: speech will have gaps.')
}

/** The server side: checks whether UDP arrives, and from which address. */
const answer = async (port: number, signal: AbortSignal): Promise<Finding> => {
  const responder = await openStunResponder(port)
    .catch(() => openStunResponder(port, '0.0.0.0'))
    .catch(reasonOf)
  if (typeof responder === 'string') {
    return error(
      `UDP port ${port} cannot be bound: ${responder}.`,
      'Stop the program that uses it, such as sessions, or choose another port.',
    )
  }
  try {
    await withTimeout(responder.first, answerForMs, () => undefined)
    if (responder.requests.size > 0) await delay(goOnMs, undefined, { signal })
  } finally {
    responder.close()
  }
  const sources = [...responder.requests].map(([from, count]) => `${count} from ${from}`)
  return sources.length > 0
    ? ok(`STUN requests arrived at UDP port ${responder.port} and were answered: ${sources.join(', ')}.`)
    : error(
        `No STUN request arrived at UDP port ${responder.port} within ${answerForMs / 1000} s.`,
        `Run \`npx parlance doctor --only udp --udp-to HOST:${responder.port}\` elsewhere meanwhile. ${openFirewall}`,
      )
}

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))

/** Checks the media address that peers receive. */
const announcedFindings = ({ environment, isStandalone }: CheckContext): Finding[] => {
  const { SESSION_ANNOUNCED_ADDRESS: announced, SESSION_UDP_PORT: port = '0', TURN_URLS: turn } = environment
  const findings: Finding[] = []
  if (announced && isIP(announced) === 0) {
    findings.push(
      error(`SESSION_ANNOUNCED_ADDRESS is not an IP address.`, 'Set it to the IP address that browsers reach.'),
    )
  }
  if (isStandalone) return findings
  if (port === '0' && announced) {
    findings.push(
      warning('SESSION_UDP_PORT is any free port, which no firewall can open.', 'Set it to one port, such as 40000.'),
    )
  }
  if (!announced && !turn && !ownAddresses().some(isPublicAddress)) {
    findings.push(
      warning(
        'This machine has no public address, and SESSION_ANNOUNCED_ADDRESS and TURN_URLS are not set here.',
        'Set one of them for the sessions service, unless all peers are in the same network.',
      ),
    )
  }
  return findings
}

/** Checks UDP for the media of conversations: the announced address, and with --udp-to or --udp-answer whether UDP passes. */
export const checkUdp = async (context: CheckContext, signal: AbortSignal): Promise<Finding[]> => {
  const { udpTo, udpAnswer } = context
  const tried = await Promise.all([
    ...(udpTo === undefined ? [] : [probe(udpTo, signal)]),
    ...(udpAnswer === undefined ? [] : [answer(udpAnswer, signal)]),
  ])
  if (tried.length > 0) return tried
  return [
    ...announcedFindings(context),
    skipped(
      'Checking whether UDP passes needs two sides: --udp-answer PORT here, and --udp-to HOST:PORT on another machine.',
    ),
  ]
}
