import type { Conversation } from './conversation-queries.js'

export type ScenarioSource = Pick<Conversation, 'agent_id' | 'transcript' | 'tool_calls' | 'analysis'>

/** A string in JSON is one in YAML. */
const quoted = (text: string): string => JSON.stringify(text)

const list = (key: string, texts: readonly string[]): readonly string[] =>
  texts.length === 0 ? [] : [`          ${key}:`, ...texts.map((text) => `            - ${quoted(text)}`)]

/**
 * A scenario for `npx parlance test`, in YAML: the messages of the user, the tools that were called for the replies, and the success
 * criteria of the Agent.
 */
export const scenarioOf = ({ agent_id, transcript, tool_calls, analysis }: ScenarioSource, name: string): string => {
  const turns: { user: string; tools: string[] }[] = []
  for (const { id, role, text } of transcript) {
    if (role === 'user') turns.push({ user: text, tools: [] })
    else turns.at(-1)?.tools.push(...tool_calls.filter((call) => call.message_id === id).map((call) => call.name))
  }
  const criteria = analysis?.criteria.map(({ description }) => description) ?? []
  return [
    `agent: ${agent_id}`,
    'scenarios:',
    `  - name: ${quoted(name)}`,
    '    turns:',
    ...turns.flatMap(({ user, tools }, index) => {
      const expected = [
        ...list('tools', [...new Set(tools)]),
        ...list('judge', index === turns.length - 1 ? criteria : []),
      ]
      return [`      - user: ${quoted(user)}`, ...(expected.length > 0 ? ['        expect:', ...expected] : [])]
    }),
    '',
  ].join('\n')
}
