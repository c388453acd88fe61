import { randomUUID } from 'node:crypto'
import { ServiceError, streamLimits } from '@parlance/contracts'
import type { RawData } from 'ws'

/** Throws `invalid_request` for a binary frame, and `invalid_json`. */
export const parseJson = (data: RawData, isBinary: boolean): unknown => {
  if (isBinary) throw new ServiceError('invalid_request', 'Messages are JSON in text frames.')
  try {
    return JSON.parse(String(data))
  } catch {
    throw new ServiceError('invalid_json', 'The message is not valid JSON.')
  }
}

/** The context that a message names, if it names one; the message may be invalid. */
export const contextIdIn = (value: unknown): string | undefined => {
  const id = typeof value === 'object' && value !== null ? (value as { context_id?: unknown }).context_id : undefined
  return typeof id === 'string' && id.length <= streamLimits.context_id_characters ? id : undefined
}

/** The first message of a connection, which announces its limits. */
export const readyMessage = (
  limits: Readonly<Record<string, number>> & { readonly life_seconds: number },
  requestId: string,
  inactivityTimeoutSeconds: number,
) => ({
  event: 'ready' as const,
  connection_id: randomUUID(),
  request_id: requestId,
  expires_at: new Date(Date.now() + limits.life_seconds * 1000).toISOString(),
  limits: { ...limits, inactivity_timeout_seconds: inactivityTimeoutSeconds },
})
