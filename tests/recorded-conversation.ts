import { randomUUID } from 'node:crypto'
import { createApi } from './api.js'
import { eventually } from './eventually.js'
import type { TestPlatform } from './platforms.js'
import { publishAgent } from './publish-agent.js'
import { connectSession } from './session-peer.js'

export interface RecordedConversation {
  readonly sessionId: string
  readonly agentId: string
  /** What the Agent answered. */
  readonly reply: string
}

export interface ConversationToRecord {
  readonly agent: string
  readonly text: string
  readonly label: string
  /** The result of the tool of the page that the Agent has, named `web_search`: the built-in model calls it to search. */
  readonly found?: string
  /** Others of the Agent. */
  readonly fields?: object
  /** Called when the Agent is published. */
  beforeTalk?(agentId: string): Promise<void>
}

/** A conversation of one typed message and its reply, by a new Agent of this name, which has ended and is paid for. */
export const recordConversation = async (
  platform: Pick<TestPlatform, 'auth' | 'credit' | 'urls'>,
  workspaceId: string,
  { agent, text, label, found, fields, beforeTalk }: ConversationToRecord,
): Promise<RecordedConversation> => {
  const { key } = await platform.auth.createKey({ workspace_id: workspaceId, label })
  const api = createApi(platform.urls[0], `Bearer ${key}`)
  const voice = await api.voice()
  const voice_config = { tts_variant: voice.variants[0]!.id, speed: 2 }
  const parameters = { type: 'object', properties: { query: { type: 'string' } } }
  const tools =
    found === undefined ? [] : [{ type: 'client', name: 'web_search', description: 'Searches.', parameters }]
  const agentId = await publishAgent(api, { voice, voice_config, display_name: agent, tools, ...fields })
  await beforeTalk?.(agentId)
  const { token } = (await api.post(`/v1/agents/${agentId}/session-tokens`)).body
  const started = await api.post(
    `/v1/agents/${agentId}/sessions`,
    { transport: 'websocket' },
    { authorization: `Bearer ${token}` },
  )
  const peer = await connectSession(started.body.websocket_url, token)
  peer.send({ event: 'client.ready' })
  await peer.event('session.ready')
  peer.send({ event: 'text.send', id: randomUUID(), text })
  if (found !== undefined) {
    const { tool_call_id } = await peer.event('tool.call', () => true)
    peer.send({ event: 'tool.result', tool_call_id, result: found, is_error: false })
  }
  const { text: reply } = await peer.event('transcript', ({ role, final }) => role === 'agent' && final)
  peer.socket.close(1000)
  await peer.closed
  const sessionId: string = started.body.session_id
  await eventually(async () => {
    const { body } = await api.get(`/v1/agent-sessions/${sessionId}`)
    return body.status === 'ended' && Number(body.credit_used) > 0 ? true : undefined
  })
  await eventually(async () => {
    const { usage } = await platform.credit.getUsage({
      ...{ workspace_id: workspaceId, group_by: 'agent' },
      from: new Date(Date.now() - 3_600_000).toISOString(),
      to: new Date(Date.now() + 60_000).toISOString(),
    })
    return usage.some(({ key: group }) => group === agentId) ? true : undefined
  })
  return { sessionId, agentId, reply }
}
