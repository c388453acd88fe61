import type { Disconnection } from './client-events.js'
import type { ParlanceError } from './parlance-error.js'

const details: Readonly<Record<string, string>> = {
  user_disconnected: 'The user hung up.',
  agent_ended: 'The Agent hung up.',
  api_ended: 'The session was ended by the API.',
  silence_timeout: 'There was silence for too long.',
  max_duration: 'The session has reached its maximum duration.',
  connection_lost: 'The connection was lost.',
  connection_failed: 'Audio cannot reach the service.',
  ice_failed: 'Audio cannot reach the service.',
  insufficient_credit: 'There is no credit left.',
  drained: 'The service is being restarted. Connect again.',
}
const failed = 'Something went wrong at the service. Connect again.'

/** Reasons that an `error` event precedes. */
const withError = /_error$|^insufficient_credit$/

/** `failure` is the error of the last `error` event. */
export const describeEnd = (reason: string, failure: ParlanceError | undefined): Disconnection => {
  const error = withError.test(reason) ? failure : undefined
  return { reason, code: error?.code ?? null, detail: error?.message ?? details[reason] ?? failed }
}
