import type { Disconnection } from './client-events.js'
import type { ParlanceError } from './parlance-error.js'

const details: Readonly<Record<string, string>> = {
  user_disconnected: 'The user hung up.',
  agent_ended: 'The Agent hung up.',
  api_ended: 'The session was ended by the API.',
  silence_timeout: 'Nobody said anything for too long.',
  max_duration: 'The longest time that a session may last is over.',
  connection_lost: 'The connection is lost.',
  connection_failed: 'Media do not get through to the service.',
  ice_failed: 'Media do not get through to the service.',
  insufficient_credit: 'There is no more credit.',
  drained: 'The service is being restarted. Connect again.',
}
const failed = 'Something went wrong at the service. Connect again.'

/** Reasons that an error was told of before. */
const withError = /_error$|^insufficient_credit$/

/** `failure` is the last error that was told of. */
export const describeEnd = (reason: string, failure: ParlanceError | undefined): Disconnection => {
  const error = withError.test(reason) ? failure : undefined
  return { reason, code: error?.code ?? null, detail: error?.message ?? details[reason] ?? failed }
}
