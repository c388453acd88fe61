import {
  type Caller,
  hasPassed,
  runScenario,
  type Scenario,
  type ScenarioFile,
  type ScenarioRun,
  type TestedAgent,
} from '@parlance/agent-tests'
import { createParlanceClient, ParlanceError } from '@parlance/client'
import { fetchApi } from '../../api/api.js'
import { adviceFor } from '../../talk/conversation-words.js'
import { mintDraftSessionToken } from '../../talk/talk-agents.js'
import type { Agent } from '../agent.js'
import { connectDraftCaller } from './draft-caller.js'

/** A scenario with its runs so far, in their order. */
export interface ScenarioTest {
  readonly scenario: Scenario
  readonly runs: readonly ScenarioRun[]
}

/** The tests of one click. */
export interface ScenarioTests {
  readonly tests: readonly ScenarioTest[]
  readonly repeat: number
  /** The run that goes on, by places from 0; undefined when all are over. */
  readonly current: { readonly test: number; readonly run: number; readonly turn: number } | undefined
  readonly isStopped: boolean
}

/** Whether the user speaks, which a page cannot do for them. */
export const isSpoken = ({ turns }: Scenario): boolean => turns.some(({ user }) => typeof user === 'object')

/** The scenarios of a file, or what is wrong with it, in lines. */
export type ReadScenarios = { readonly file: ScenarioFile } | { readonly problems: readonly string[] }

const readFile = (text: string): Promise<ReadScenarios> =>
  new Promise((resolve, reject) => {
    const reader = new Worker(new URL('./scenario-reader.ts', import.meta.url), { type: 'module' })
    reader.onmessage = ({ data }: MessageEvent<ReadScenarios>) => {
      reader.terminate()
      resolve(data)
    }
    reader.onerror = () => reject(new Error('The scenarios could not be read.'))
    reader.postMessage(text)
  })

/** Reads a file for this Agent. Rejects when the reader cannot be loaded. */
export const readScenarios = async (text: string, { id, slug }: Pick<Agent, 'id' | 'slug'>): Promise<ReadScenarios> => {
  const read = await readFile(text)
  if ('problems' in read || read.file.agent === id || read.file.agent === slug) return read
  return { problems: [`agent: these scenarios are for “${read.file.agent}”, and this Agent is “${slug}”`] }
}

const expectsDelay = ({ turns }: Scenario): boolean => turns.some(({ expect }) => expect.within_ms !== undefined)

/** The draft, as it is saved when a conversation starts. */
const testedDraft = (agent: Agent, onTurn: () => void, signal: AbortSignal): TestedAgent => ({
  hasFirstMessage: agent.first_message !== null,
  async call(scenario) {
    const client = createParlanceClient({
      agentId: agent.id,
      sessionToken: () => mintDraftSessionToken(agent.id, { variables: scenario.variables, consents: false }),
    })
    let caller: Caller
    try {
      caller = await connectDraftCaller(client, { isSpoken: expectsDelay(scenario), signal })
    } catch (error) {
      throw error instanceof ParlanceError ? new Error(adviceFor(error)) : error
    }
    return {
      ...caller,
      type(text) {
        onTurn()
        return caller.type(text)
      },
    }
  },
  records: {
    async status(sessionId) {
      const params = { path: { sessionId } }
      return (await fetchApi.GET('/dashboard/api/v1/agent-sessions/{sessionId}', { params })).data!.status
    },
    async toolCalls(sessionId) {
      const params = { path: { sessionId }, query: { limit: 100 } }
      return (await fetchApi.GET('/dashboard/api/agent-sessions/{sessionId}/tool-calls', { params })).data!.tool_calls
    },
    async judge(sessionId, criteria) {
      const asked = { params: { path: { sessionId } }, body: { criteria } }
      return (await fetchApi.POST('/dashboard/api/agent-sessions/{sessionId}/judgments', asked)).data!.criteria
    },
  },
})

interface RunTestsOptions {
  readonly agent: Agent
  readonly scenarios: readonly Scenario[]
  /** How often each scenario runs. */
  readonly repeat: number
  readonly signal: AbortSignal
  onChange(tests: ScenarioTests): void
}

/** Runs the scenarios one after another, except those in which the user speaks. Never rejects. */
export const runTests = async ({ agent, scenarios, repeat, signal, onChange }: RunTestsOptions): Promise<void> => {
  const runs: ScenarioRun[][] = scenarios.map(() => [])
  const report = (current: ScenarioTests['current']): void =>
    onChange({
      tests: scenarios.map((scenario, index) => ({ scenario, runs: [...runs[index]!] })),
      repeat,
      current: signal.aborted ? undefined : current,
      isStopped: signal.aborted,
    })
  signal.addEventListener('abort', () => report(undefined))
  for (const [test, scenario] of scenarios.entries()) {
    for (let run = 0; run < repeat && !isSpoken(scenario); run++) {
      let turn = scenario.turns[0]!.user === undefined ? 0 : -1
      const reportTurn = () => report({ test, run, turn: Math.max(0, turn) })
      reportTurn()
      const onTurn = () => {
        turn++
        reportTurn()
      }
      const result = await runScenario(testedDraft(agent, onTurn, signal), scenario)
      // What was stopped has neither passed nor failed.
      if (signal.aborted) return
      runs[test]!.push(result)
    }
  }
  report(undefined)
}

export const passesOf = ({ runs }: ScenarioTest): number => runs.filter(hasPassed).length
