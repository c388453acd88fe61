import { withTimeout } from '@parlance/async'
import { findApi } from '@parlance/cli'
import { reasonOf } from '@parlance/runtime/process'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { type CheckContext, error, type Finding, ok, skipped } from '../check.js'

/** The gateway itself closes a stream on which a client sends nothing for a minute. */
const keepAliveEveryMs = 50_000
const openTimeoutMs = 10_000

/** The time for opening it, besides the time that it is kept open. */
export const websocketTimeoutMs = ({ wsIdle = 0 }: CheckContext): number => 2 * openTimeoutMs + wsIdle * 1000

const tokenSchema = z.object({ token: z.string() })

const mintToken = async (url: string, key: string, signal: AbortSignal): Promise<string> => {
  const response = await fetch(new URL('/v1/tts/stream-tokens', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    signal,
  })
  if (!response.ok) throw new Error(`it answers ${response.status} to POST /v1/tts/stream-tokens`)
  return tokenSchema.parse(await response.json()).token
}

type Outcome =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string; readonly afterMs: number }
  | { readonly kind: 'held' }

/** Opens a stream and keeps it open for the given time. Nothing is spoken, so it costs nothing. */
const hold = async (url: string, token: string, holdMs: number): Promise<Outcome> => {
  const address = new URL('/v1/tts/stream', url)
  address.protocol = address.protocol.replace('http', 'ws')
  const socket = new WebSocket(address, ['awp.tts.v1', `awp.token.${token}`], { handshakeTimeout: openTimeoutMs })
  let openedMs: number | undefined
  const ended = new Promise<Outcome>((resolve) => {
    socket.on('open', () => {
      openedMs = performance.now()
    })
    socket.on('error', (problem) => {
      if (openedMs === undefined) resolve({ kind: 'refused', reason: reasonOf(problem) })
    })
    socket.on('close', (code, reason) => {
      const afterMs = performance.now() - (openedMs ?? performance.now())
      resolve({ kind: 'closed', code, reason: reason.toString(), afterMs })
    })
  })
  const keepAlive = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send('{"event":"keepalive"}')
  }, keepAliveEveryMs)
  try {
    return await withTimeout(ended, holdMs, () => ({ kind: 'held' }) as const)
  } finally {
    clearInterval(keepAlive)
    socket.terminate()
  }
}

const closedFinding = (place: string, { code, reason, afterMs }: Extract<Outcome, { kind: 'closed' }>): Finding => {
  const after = `after ${(afterMs / 1000).toFixed(0)} s`
  // Without a closing frame the connection was cut on the way.
  if (code === 1006) {
    return error(
      `An idle WebSocket at ${place} was cut ${after}.`,
      'Raise the time-outs of the Ingress and its load balancer above 3600 s (ingress.timeoutSeconds).',
    )
  }
  return error(
    `The WebSocket at ${place} was closed with ${code} ${after}: ${reason}.`,
    'The log of the gateway has the reason.',
  )
}

/** Checks the timeouts of proxies before the gateway with an idle WebSocket at the public address. */
export const checkWebsocket = async (context: CheckContext, signal: AbortSignal): Promise<Finding[]> => {
  const { wsIdle } = context
  if (wsIdle === undefined)
    return [skipped('--ws-idle SECONDS keeps a WebSocket at the public address open for that time.')]
  const found = await findApi(context.environment)
  const { url = found.url } = context
  const { key } = found
  if (url === undefined) return [error('The public address is not known.', 'Add --url https://speech.example.com.')]
  if (key === undefined)
    return [error('A WebSocket needs an API key.', 'Set PARLANCE_API_KEY to one, for this command only.')]
  const place = new URL(url).origin
  let token: string
  try {
    token = await mintToken(url, key, signal)
  } catch (problem) {
    signal.throwIfAborted()
    return [error(`No token for a WebSocket at ${place}: ${reasonOf(problem)}.`, 'Correct --url and PARLANCE_API_KEY.')]
  }
  const outcome = await hold(url, token, wsIdle * 1000)
  if (outcome.kind === 'held') return [ok(`A WebSocket at ${place} stayed open for ${wsIdle} s.`)]
  if (outcome.kind === 'closed') return [closedFinding(place, outcome)]
  return [
    error(
      `${place} opens no WebSocket: ${outcome.reason}.`,
      'Let the Ingress and proxies pass on upgrades to WebSocket.',
    ),
  ]
}
