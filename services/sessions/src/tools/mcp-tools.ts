/**
 * The tools of MCP servers that an Agent names.
 *
 * - A server is connected and its tools are listed once, when the conversation starts. It starts without a server that fails.
 * - What a server sends is untrusted: its text is bounded, and its schemas are never compiled.
 */
import { settlesWithin } from '@parlance/async'
import type { Client as BusClient } from '@parlance/bus'
import type { ModelKeys } from '@parlance/clients/model-keys'
import { type agentsContract, ServiceError, sealedHeaderPattern, type Tool as ToolConfig } from '@parlance/contracts'
import { EgressError, type EgressGuard } from '@parlance/egress'
import type { Logger } from '@parlance/telemetry'
import { createPooledFetch } from '../llm/pooled-fetch.js'
import type { OpenToolsOptions, Tool, ToolResult } from './tool.js'
import { untrustedText } from './tool-runner.js'
import { egressFailures } from './webhook-tools.js'

type McpConfig = Extract<ToolConfig, { type: 'mcp' }>

export interface McpTools {
  readonly tools: readonly Tool[]
  /** The servers that cannot be used, with the reasons. */
  readonly failures: readonly { readonly server: string; readonly reason: string }[]
  /** To be called once, when the conversation has ended. Never rejects. */
  close(): Promise<void>
}

/** Never rejects. */
export type OpenMcpTools = (
  conversation: Pick<OpenToolsOptions, 'workspaceId' | 'agentId' | 'sessionId' | 'requestId' | 'config'>,
) => Promise<McpTools>

interface McpToolsOptions {
  readonly agents: Pick<BusClient<typeof agentsContract>, 'getSealedHeaders'>
  readonly headerKeys: Pick<ModelKeys, 'open'>
  readonly guard: EgressGuard
  readonly logger: Logger
}

/** The start of a conversation waits for its servers this long. */
const openMs = 3_000
const closeMs = 2_000
/** The default of other tools. */
const callMs = 10_000
/** Of all servers of an Agent; providers of models limit how many they accept. */
const maxTools = 64
const maxSchemaCharacters = 16 * 1024
const maxDescriptionCharacters = 1_024
const maxResultCharacters = 8_000
const maxResponseBytes = 1024 * 1024

const isTool = (tool: ToolConfig): tool is McpConfig => tool.type === 'mcp'

/** The error itself, or the one that it was caused by. `fetch` wraps the errors of connections. */
const egressErrorOf = (error: unknown): EgressError | undefined => {
  if (error instanceof EgressError) return error
  return error instanceof Error && error.cause !== undefined ? egressErrorOf(error.cause) : undefined
}

const statusOf = (error: unknown): number | undefined => {
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'number' && code >= 300 && code < 600 ? code : undefined
}

/** Other errors contain the response, which is not logged. */
const loggedError = (error: unknown) => ({
  code: String(statusOf(error) ?? (error instanceof Error ? error.name : 'unknown')),
  err: egressErrorOf(error),
})

const openFailure = (error: unknown, signal: AbortSignal): string => {
  const status = statusOf(error)
  if (error instanceof ServiceError) return error.detail
  if (signal.aborted) return `It did not answer within ${openMs / 1000} s.`
  if (status !== undefined) return `It answered with status ${status}.`
  return egressErrorOf(error)?.message ?? 'It does not speak the Model Context Protocol.'
}

const textOf = (content: unknown): string => {
  if (!Array.isArray(content)) return ''
  return content
    .map((part: { readonly type: string; readonly text?: string; readonly resource?: { readonly text?: string } }) => {
      if (part.type === 'text') return part.text ?? ''
      return part.type === 'resource' ? (part.resource?.text ?? '') : ''
    })
    .filter((text) => text !== '')
    .join('\n')
}

export const createOpenMcpTools = ({ agents, headerKeys, guard, logger }: McpToolsOptions): OpenMcpTools => {
  const pooledFetch = createPooledFetch(guard, maxResponseBytes)

  /** Without the stream of notifications that the client opens by itself: none is used, and it would stay open. */
  const fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init.headers))
    if (init.method === 'GET' && headers['last-event-id'] === undefined) return new Response(null, { status: 405 })
    return pooledFetch(url, { ...init, headers })
  }

  const openHeaders = async (
    { workspaceId, agentId, requestId }: Parameters<OpenMcpTools>[0],
    servers: readonly McpConfig[],
  ): Promise<(given: McpConfig['headers']) => Promise<Record<string, string>>> => {
    const isNeeded = servers.some(({ headers }) => Object.keys(headers).length > 0)
    const request = { workspace_id: workspaceId, agent_id: agentId }
    const { headers } = isNeeded ? await agents.getSealedHeaders(request, { context: { requestId } }) : { headers: [] }
    return async (given) => {
      const opened: Record<string, string> = {}
      for (const [name, value] of Object.entries(given)) {
        const id = sealedHeaderPattern.exec(value)?.[1]
        // Of a server that is tried before it is saved.
        if (id === undefined) {
          opened[name] = value
          continue
        }
        const found = headers.find((header) => header.id === id)
        if (found === undefined)
          throw new ServiceError('unavailable', `The value of its header "${name}" is not stored.`)
        opened[name] = await headerKeys.open({ workspaceId, providerId: found.id }, found.sealed)
      }
      return opened
    }
  }

  const openServer = async (config: McpConfig, headers: Record<string, string>, signal: AbortSignal) => {
    // The SDK is large, and most conversations do not need it.
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
    const transport = new StreamableHTTPClientTransport(new URL(config.url), { fetch, requestInit: { headers } })
    const client = new Client(
      { name: 'Parlance', version: '0.1.0' },
      // The SDK would compile the schemas of results.
      {
        jsonSchemaValidator: {
          getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
        },
      },
    )
    const close = async (): Promise<void> => {
      await settlesWithin(transport.terminateSession(), closeMs).catch(() => undefined)
      await client.close().catch(() => undefined)
    }

    const call = async (name: string, args: unknown, callSignal: AbortSignal): Promise<ToolResult> => {
      try {
        const given = { name, arguments: args as Record<string, unknown> }
        const result = await client.callTool(given, undefined, { signal: callSignal, timeout: callMs })
        const structured = result.structuredContent === undefined ? '' : JSON.stringify(result.structuredContent)
        const text = untrustedText(textOf(result.content) || structured, maxResultCharacters)
        const isError = result.isError === true
        if (text !== '') return { text, isError }
        return { text: isError ? 'The tool failed.' : 'The tool succeeded and returned no text.', isError }
      } catch (error) {
        callSignal.throwIfAborted()
        const [egress, status] = [egressErrorOf(error), statusOf(error)]
        logger.warn({ component: 'tools', ...loggedError(error) }, 'A tool of an MCP server failed')
        if (egress !== undefined) return { text: egressFailures[egress.problem], isError: true }
        if (status !== undefined) return { text: `The tool failed with status ${status}.`, isError: true }
        const message = error instanceof Error ? untrustedText(error.message, 500) : ''
        return { text: `The tool failed: ${message}`, isError: true }
      }
    }

    try {
      await client.connect(transport, { signal, timeout: openMs })
      const { tools } = await client.listTools(undefined, { signal, timeout: openMs })
      const usable = tools.filter(
        ({ name, inputSchema }) =>
          (config.allowed_tools?.includes(name) ?? true) && JSON.stringify(inputSchema).length <= maxSchemaCharacters,
      )
      const opened = usable.map(
        ({ name, description = '', inputSchema }): Tool => ({
          name: name.replace(/[^\w-]/g, '_').slice(0, 64),
          server: config.name,
          description: untrustedText(description, maxDescriptionCharacters),
          parameters: inputSchema,
          timeoutMs: callMs,
          call: (args, context) => call(name, args, context.signal),
        }),
      )
      return { tools: opened, close }
    } catch (error) {
      void close()
      throw error
    }
  }

  return async (conversation) => {
    const { workspaceId, agentId, sessionId, config } = conversation
    const servers = config.tools.filter(isTool)
    const signal = AbortSignal.timeout(openMs)
    const headersOf = openHeaders(conversation, servers)
    const outcomes = await Promise.allSettled(
      servers.map(async (server) => openServer(server, await (await headersOf)(server.headers), signal)),
    )
    const opened = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    const failures = outcomes.flatMap((outcome, index) => {
      if (outcome.status === 'fulfilled') return []
      const [server, err] = [servers[index]!.name, outcome.reason as unknown]
      const fields = {
        component: 'tools',
        workspaceId,
        agentId,
        sessionId,
        implementation: server,
        ...loggedError(err),
      }
      logger.warn(fields, 'A conversation starts without the tools of an MCP server')
      return [{ server, reason: openFailure(err, signal) }]
    })
    return {
      tools: opened.flatMap(({ tools }) => tools).slice(0, maxTools),
      failures,
      async close() {
        await Promise.all(opened.map(({ close }) => close()))
      },
    }
  }
}
