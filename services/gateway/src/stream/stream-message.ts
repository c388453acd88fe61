import {
  ServiceError,
  type StreamClientMessage,
  streamClientMessageSchema,
  streamLimits,
  toServiceError,
} from '@parlance/contracts'
import type { RawData } from 'ws'
import { parseRequest } from '../http/parsed-request.js'

/** A message of a client, or its error and the id of the context that it names, if any. */
export type ReadStreamMessage =
  | { readonly message: StreamClientMessage }
  | { readonly error: ServiceError; readonly contextId: string | undefined }

export const readStreamMessage = (data: RawData, isBinary: boolean): ReadStreamMessage => {
  let contextId: string | undefined
  try {
    const value = parseJson(data, isBinary)
    contextId = contextIdIn(value)
    return { message: parseRequest(streamClientMessageSchema, value) }
  } catch (error) {
    return { error: toServiceError(error), contextId }
  }
}

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
const contextIdIn = (value: unknown): string | undefined => {
  const id = typeof value === 'object' && value !== null ? (value as { context_id?: unknown }).context_id : undefined
  return typeof id === 'string' && id.length <= streamLimits.context_id_characters ? id : undefined
}
