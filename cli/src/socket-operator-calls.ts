import { request as httpRequest } from 'node:http'
import { errorBodySchema, ServiceError } from '@parlance/contracts'
import { operatorDeadlineMs } from '@parlance/runtime/installation'
import { createOperatorCalls, type OperatorCalls, type SendCall } from './operator-calls.js'

/** Longer than the deadline of a call in the other process, whose error is more precise than a timeout here. */
const timeoutMs = operatorDeadlineMs + 5_000

const post = (
  socketPath: string,
  path: string,
  body: string,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath, path, method: 'POST', timeout: timeoutMs, signal })
    request.once('timeout', () => request.destroy(new Error('timed out')))
    request.once('error', reject)
    request.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.once('error', reject)
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.end(body)
  })

/** Makes calls to the services of the process that listens at the socket. */
export const createSocketOperatorCalls = (socketPath: string, signal: AbortSignal): OperatorCalls => {
  const send: SendCall = async (contract, method, request) => {
    const { status, text } = await post(
      socketPath,
      `/${contract.name}/${method}`,
      JSON.stringify(request),
      signal,
    ).catch((cause: Error) => {
      throw new ServiceError('unavailable', `The running Parlance did not respond (${cause.message}). Try again.`, {
        cause,
      })
    })
    if (status === 200) return JSON.parse(text)
    const { code, detail } = errorBodySchema.parse(JSON.parse(text))
    throw new ServiceError(code, detail)
  }
  return createOperatorCalls(send, () => Promise.resolve())
}
