import {
  type AgentConfig,
  agentsContract,
  draftConfigOf,
  ServiceError,
  sealedHeaderPattern,
  timeZoneSchema,
  toolSchema,
  toolTrialSchema,
} from '@parlance/contracts'
import { z } from 'zod'
import { memberOf } from '../../authentication/require-key.js'
import { parseBody } from '../../http/json-body.js'
import { respond } from '../../http/json-response.js'
import { agentAddressOf, agentParameters } from '../path-parameters.js'
import { json, jsonBody, member, type Route } from '../route.js'

const [, webhook, mcp] = toolSchema.options
const webSearch = z.strictObject({ type: z.literal('web_search') })
const calendarList = z.strictObject({ type: z.literal('calendar_list') })
const calendarCreate = z.strictObject({
  type: z.literal('calendar_create'),
  confirmed: z.boolean().default(false).meta({
    description: 'Whether to make the event. Otherwise it is only proposed, with the other events at that time.',
  }),
})

const body = z.strictObject({
  tool: z.discriminatedUnion('type', [webhook, mcp, webSearch, calendarList, calendarCreate]),
  arguments: z.record(z.string(), z.unknown()),
  time_zone: timeZoneSchema.default('UTC').meta({ description: 'The time zone of the member, as an IANA name.' }),
})

const example = {
  tool: { type: 'webhook', name: 'find_order', url: 'https://example.com/orders' },
  arguments: { number: 7 },
}

/** Added to the time limit of the tool, for the services in between. */
const marginMs = 5_000
const webSearchMs = 30_000
/** A proposal and its confirmation. */
const calendarMs = 10_000
/** The connection and the list of the tools. */
const mcpMs = 5_000

type TriedTool = z.output<typeof body>['tool']

/** The parts of a configuration with this tool and no other. */
const configWith = (tool: TriedTool): Pick<AgentConfig, 'tools' | 'web_search_enabled' | 'calendar_enabled'> => ({
  tools: tool.type === 'webhook' || tool.type === 'mcp' ? [tool] : [],
  web_search_enabled: tool.type === 'web_search',
  calendar_enabled: tool.type === 'calendar_list' || tool.type === 'calendar_create',
})

/** A stored value is sent only to the server for which it was stored. */
const checkSealedHeaders = (tool: Extract<TriedTool, { type: 'mcp' }>, draft: AgentConfig): void => {
  const { origin } = new URL(tool.url)
  const stored = draft.tools.flatMap((saved) =>
    saved.type === 'mcp' && new URL(saved.url).origin === origin ? Object.values(saved.headers) : [],
  )
  for (const [name, value] of Object.entries(tool.headers)) {
    if (!sealedHeaderPattern.test(value) || stored.includes(value)) continue
    const detail = `The value of the header "${name}" is stored for another server. Write it again.`
    throw new ServiceError('invalid_request', detail)
  }
}

const timeLimitMs = (tool: TriedTool): number => {
  if (tool.type === 'webhook') return tool.timeout_ms
  if (tool.type === 'mcp') return mcpMs
  return tool.type === 'web_search' ? webSearchMs : calendarMs
}

export const testTool: Route = {
  method: 'post',
  path: '/dashboard/api/agents/:agentId/tool-tests',
  authentication: member('member', 'agents'),
  operationId: 'testTool',
  tag: 'Agents',
  summary: 'Call a tool as a conversation with the Agent would',
  description:
    'The tool need not be saved. It is called from the server, signed and limited as in a conversation, with the member as the end ' +
    'user. A failure is in `result`, as the model would receive it. The tools of the calendar use that of the member in this ' +
    'workspace, as conversations on the page Talk do. Of an MCP server the tools are listed, and none is called. Client tools run in the page of a user, and cannot be called here.',
  request: { params: agentParameters, body: jsonBody(body, { example: { value: example } }) },
  responses: { 200: json('What the call came to.', toolTrialSchema) },
  calls: [agentsContract.methods.getAgent],
  createHandler: ({ agents, sessions }) =>
    respond(200, async (req) => {
      const address = agentAddressOf(req)
      const { tool, arguments: args, time_zone } = await parseBody(body, req)
      const draft = draftConfigOf(await agents.getAgent(address, { context: req.context }))
      if (tool.type === 'mcp') checkSealedHeaders(tool, draft)
      const request = {
        ...{ ...address, person_id: memberOf(req).person_id, time_zone },
        config: { ...draft, ...configWith(tool) },
        name: tool.type === 'webhook' || tool.type === 'mcp' ? tool.name : tool.type,
        arguments: args,
        confirmed: tool.type === 'calendar_create' && tool.confirmed,
      }
      const deadlineMs = timeLimitMs(tool) + marginMs
      return sessions.tryTool(request, { context: req.context, deadlineMs })
    }),
}
