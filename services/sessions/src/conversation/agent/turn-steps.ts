/**
 * The tool calls of one turn of the agent, with their results.
 *
 * - During the turn the model receives all of them. Later turns receive them with the text that was played.
 * - A call that was interrupted is listed as one: it may have been done, and the model must not assume that it was not.
 */
import type { KnowledgePassage, Source } from '@parlance/contracts'
import type { AnsweredCall, ChatMessage, ToolCall } from '../../llm/language-model.js'
import type { ToolResult } from '../../tools/tool.js'
import { cutOff } from '../../tools/tool-runner.js'

interface Step {
  text: string
  readonly calls: readonly ToolCall[]
  readonly results: (ToolResult | undefined)[]
}

/** Shared by the results of a step. It bounds the request to the model. */
const maxCharacters = 16_000
/** The same, for the requests of later turns. */
const maxKeptCharacters = 2_000
const maxSources = 10
const maxTitleCharacters = 300

const interrupted: ToolResult = {
  text: 'Interrupted before there was an answer. It is not known whether it was done.',
  isError: true,
}

const answered = ({ calls, results }: Step, characters: number): readonly AnsweredCall[] =>
  calls.map((call, index) => {
    const { text, isError } = results[index] ?? interrupted
    return { ...call, result: cutOff(text, Math.floor(characters / calls.length)), isError }
  })

export type TurnSteps = ReturnType<typeof createTurnSteps>

export const createTurnSteps = () => {
  const steps: Step[] = []
  let knowledge: readonly Source[] = []

  return {
    /** The passages of the Agent's files that the model is given. */
    found(passages: readonly KnowledgePassage[]) {
      knowledge = passages.map(({ title, file_id, text }) => ({
        title: title.slice(-maxTitleCharacters),
        file_id,
        passage: text,
      }))
    },
    /** How many there are. */
    count: () => steps.length,
    /** The model makes these calls, after the text that it has given since the last step. */
    begin(text: string, calls: readonly ToolCall[]) {
      const step: Step = { text, calls, results: calls.map(() => undefined) }
      steps.push(step)
      return {
        /** Text that is spoken during the calls. */
        add(more: string) {
          step.text += more
        },
        answer(call: number, result: ToolResult) {
          step.results[call] = result
        },
      }
    },
    /** For the next request of this turn. */
    messages: (): readonly ChatMessage[] =>
      steps.map((step) => ({ role: 'calls', text: step.text, calls: answered(step, maxCharacters) })),
    /** For the turns that follow, with the text of this turn that was played. */
    history(playedText: string): readonly ChatMessage[] {
      const text = steps.map((step) => step.text).join('')
      // The played text is without the white space that the text of the steps begins with.
      let at = text.trimStart().length - text.length
      const messages: ChatMessage[] = steps.map((step) => {
        const from = Math.max(0, at)
        at += step.text.length
        const played = playedText.slice(from, Math.max(0, at)).trim()
        return { role: 'calls', text: played, calls: answered(step, maxKeptCharacters) }
      })
      const rest = playedText.slice(Math.max(0, at)).trim()
      return rest === '' ? messages : [...messages, { role: 'agent', text: rest }]
    },
    /** The passages and the sources in the results, each once. */
    sources(): readonly Source[] {
      const ofTools = steps.flatMap(({ results }) => results.flatMap((result) => result?.sources ?? []))
      const pages = new Map(ofTools.map((source) => [source.url, source])).values()
      return [...knowledge, ...pages].slice(0, maxSources)
    },
  }
}
