import type { EventType } from './webhook-queries.js'

/** When an event of each type is sent. */
export const eventNames: Readonly<Record<EventType, string>> = {
  'agent.published': 'An Agent is published',
  'agent_session.started': 'A conversation is connected',
  'agent_session.ended': 'A conversation ends',
  'agent_session.failed': 'A conversation fails',
  'agent_session.analyzed': 'A conversation is analyzed',
  'credit.low': 'Credit is low',
  'credit.exhausted': 'Credit is exhausted',
  'api_key.revoked': 'An API key is revoked',
}
