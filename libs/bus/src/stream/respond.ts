import type { ServiceError } from '@parlance/contracts'
import type { StreamResponder } from './stream-responder.js'

/**
 * Runs a handler on its stream and ends the stream. Resolves with the error that was sent to the caller, or with undefined.
 * Never rejects. `toServiceError` turns what the handler throws into the error for the caller.
 */
export const respond = async (
  responder: StreamResponder,
  handle: () => Promise<void>,
  toServiceError: (error: unknown) => ServiceError,
): Promise<ServiceError | undefined> => {
  try {
    await handle()
    await responder.end()
    return undefined
  } catch (error) {
    // The signal is aborted, and the handler has stopped: that is not a failure.
    if (responder.signal.aborted) return undefined
    const answer = toServiceError(error)
    responder.fail(answer)
    return answer
  } finally {
    responder.close()
  }
}
