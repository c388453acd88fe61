/** The tools of the platform that act on the conversation itself. */
import type { AgentConfig, builtinToolNames } from '@parlance/contracts'
import { z } from 'zod'
import type { AgentParts } from '../conversation/conversation.js'
import type { Tool, ToolContext, ToolResult } from './tool.js'

/** The published Agents of the workspace. */
export interface Transfer {
  readonly targets: readonly { readonly slug: string; readonly description: string }[]
  /** Rejects when the Agent cannot be used now. */
  open(slug: string): Promise<AgentParts>
}

interface BuiltinToolsOptions {
  readonly config: Pick<AgentConfig, 'slug' | 'tools'>
  readonly transfer: Transfer | undefined
  /** The conversation is to end when the reply was played. */
  onEnd(): void
  /** The conversation is to go on with this Agent when the reply was played. */
  onTransfer(parts: AgentParts): void
  /**
   * Makes the telephone call go on with this number once the conversation has ended. Undefined for a conversation that is no
   * telephone call.
   */
  readonly transferCall: ((number: string, context: ToolContext) => Promise<ToolResult>) | undefined
}

const timeoutMs = 10_000

const message = (what: string) => ({
  type: 'string',
  maxLength: 500,
  description: `What you say to the user before ${what}. Leave it out when you have already said it in this reply.`,
})
const messageIn = z.object({ message: z.string().optional() })
const transferArguments = messageIn.extend({ agent: z.string() })
const transferCallArguments = messageIn.extend({ number: z.string() })

const done = (text: string, spoken?: string): ToolResult => ({
  text,
  isError: false,
  endsTurn: true,
  ...(spoken !== undefined && { spoken }),
})

export const createBuiltinTools = (options: BuiltinToolsOptions): readonly Tool[] => {
  const { config, transfer, onEnd, onTransfer, transferCall } = options
  const named = (name: (typeof builtinToolNames)[number]) =>
    config.tools.find((tool) => tool.type === 'builtin' && tool.name === name)
  const tools: Tool[] = []
  if (named('end_call')) {
    tools.push({
      name: 'end_call',
      description:
        'Ends the conversation once you have spoken. Call it when the user has said goodbye or wants to end it.',
      parameters: { type: 'object', properties: { message: message('the end') } },
      timeoutMs,
      async call(args) {
        onEnd()
        return done('The conversation ends.', messageIn.parse(args).message)
      },
    })
  }
  if (named('skip_turn')) {
    tools.push({
      name: 'skip_turn',
      description:
        'Says nothing and waits for the user. Call it, without any words, when the user asks you to wait or talks to someone else.',
      parameters: { type: 'object', properties: {} },
      timeoutMs,
      call: async () => done('You said nothing.'),
    })
  }
  const transferring = named('transfer_to_agent')
  const allowed = transferring?.type === 'builtin' ? transferring.agents : null
  const targets = (transfer?.targets ?? []).filter(
    ({ slug }) => slug !== config.slug && (allowed?.includes(slug) ?? true),
  )
  if (transferring !== undefined && transfer !== undefined && targets.length > 0) {
    tools.push(transferTool({ ...transfer, targets }, onTransfer))
  }
  const calling = named('transfer_call')
  const numbers = (calling?.type === 'builtin' && calling.numbers) || []
  if (transferCall !== undefined && numbers.length > 0) {
    tools.push({
      name: 'transfer_call',
      description:
        'Puts the caller through to a telephone number once you have spoken. The conversation with you ends.',
      parameters: {
        type: 'object',
        properties: { number: { type: 'string', enum: numbers }, message: message('the transfer') },
        required: ['number'],
      },
      timeoutMs,
      async call(args, context) {
        const { number, message: spoken } = transferCallArguments.parse(args)
        const result = await transferCall(number, context)
        if (result.isError) return result
        onEnd()
        return done(`The caller is put through to ${number}.`, spoken)
      },
    })
  }
  return tools
}

const transferTool = ({ targets, open }: Transfer, onTransfer: BuiltinToolsOptions['onTransfer']): Tool => {
  const list = targets.map(({ slug, description }) => `- ${slug}: ${description}`).join('\n')
  return {
    name: 'transfer_to_agent',
    description: `Hands the conversation over to another agent, who knows what was said. The agents:\n${list}`,
    parameters: {
      type: 'object',
      properties: {
        agent: { type: 'string', enum: targets.map(({ slug }) => slug) },
        message: message('the transfer'),
      },
      required: ['agent'],
    },
    timeoutMs,
    async call(args, { signal }) {
      const { agent, message: spoken } = transferArguments.parse(args)
      const parts = await open(agent)
      signal.throwIfAborted()
      onTransfer(parts)
      return done(`The conversation was handed over to the agent "${agent}".`, spoken)
    },
  }
}
