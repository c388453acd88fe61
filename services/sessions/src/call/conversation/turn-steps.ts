/**
 * What the agent does in one turn beside talking: what it called, and was answered.
 *
 * - While the turn goes on the model is told all of it; when it is over, of what was said only what was heard.
 * - A call that was broken off stands there as one: it may have been done, and the model must not think that it was not.
 */
import type { Source } from '@parlance/contracts'
import type { AnsweredCall, ChatMessage, ToolCall } from '../../llm/language-model.js'
import { cutOff } from '../../tools/cut-off.js'
import type { ToolResult } from '../../tools/tool.js'

export interface TurnSteps {
  /** How many there are. */
  count(): number
  /** The model calls for these, having said so much since the last step. */
  begin(text: string, calls: readonly ToolCall[]): TurnStep
  /** For the next request of this turn. */
  messages(): readonly ChatMessage[]
  /** For the turns that follow: with the agent's last words, as far as any of them were heard. */
  history(heard: string): readonly ChatMessage[]
  /** Where what was said with it was found. */
  sources(): readonly Source[]
}

export interface TurnStep {
  /** Said while it waits. */
  say(text: string): void
  answer(call: number, result: ToolResult): void
}

interface Step {
  text: string
  readonly calls: readonly ToolCall[]
  readonly results: (ToolResult | undefined)[]
}

/** What the results of a step share, so that it is bounded what a turn gives to read. */
const maxCharacters = 16_000
/** Once the turn is over they are only there to be asked about again. */
const maxKeptCharacters = 2_000
const maxSources = 10

const brokenOff: ToolResult = {
  text: 'Interrupted before there was an answer. It is not known whether it was done.',
  isError: true,
}

const answered = ({ calls, results }: Step, characters: number): readonly AnsweredCall[] =>
  calls.map((call, index) => {
    const { text, isError } = results[index] ?? brokenOff
    return { ...call, result: cutOff(text, Math.floor(characters / calls.length)), isError }
  })

export const createTurnSteps = (): TurnSteps => {
  const steps: Step[] = []

  return {
    count: () => steps.length,
    begin(text, calls) {
      const step: Step = { text, calls, results: calls.map(() => undefined) }
      steps.push(step)
      return {
        say(more) {
          step.text += more
        },
        answer(call, result) {
          step.results[call] = result
        },
      }
    },
    messages: () => steps.map((step) => ({ role: 'calls', text: step.text, calls: answered(step, maxCharacters) })),
    history(heard) {
      const said = steps.map(({ text }) => text).join('')
      // What was heard is told without the white space that it began with.
      let at = said.trimStart().length - said.length
      const told: ChatMessage[] = steps.map((step) => {
        const from = Math.max(0, at)
        at += step.text.length
        const text = heard.slice(from, Math.max(0, at)).trim()
        return { role: 'calls', text, calls: answered(step, maxKeptCharacters) }
      })
      const rest = heard.slice(Math.max(0, at)).trim()
      return rest === '' ? told : [...told, { role: 'agent', text: rest }]
    },
    sources() {
      const all = steps.flatMap(({ results }) => results.flatMap((result) => result?.sources ?? []))
      return [...new Map(all.map((source) => [source.url, source])).values()].slice(0, maxSources)
    },
  }
}
