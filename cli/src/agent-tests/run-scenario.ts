/** Tests of an Agent over the public API, by a caller that types and speaks. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  parseScenarioFile,
  runScenario,
  type Scenario,
  type ScenarioFile,
  ScenarioFileError,
  type ScenarioRun,
  type SessionRecords,
} from '@parlance/agent-tests'
import { pcmFromBytes } from '@parlance/audio'
import { StartupError } from '@parlance/runtime/process'
import { z } from 'zod'
import { type ApiAccess, callApi, findAgent } from '../api.js'
import type { OperatorCalls } from '../operator-calls.js'
import { callerRateHz, connectCaller, type SpeakingCaller } from './caller.js'

/** Rejects with `StartupError`, with one line for each problem: `file:line: what is wrong`. */
export const readScenarioFile = async (path: string): Promise<TestFile> => {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new StartupError([`${path} cannot be read: ${cause.message}`], { cause })
  })
  try {
    return { ...parseScenarioFile(text), path }
  } catch (error) {
    if (!(error instanceof ScenarioFileError)) throw error
    throw new StartupError(error.problems.map(({ line, message }) => `${path}:${line}: ${message}`))
  }
}

export interface TestFile extends ScenarioFile {
  readonly path: string
}

/**
 * The public API with the key of a workspace, and the calls of an operator, who may talk with drafts. Without those, scenarios run
 * against what is published, and cannot expect tools or a judgment.
 */
export interface TestedPlatform extends ApiAccess {
  readonly calls?: OperatorTestCalls | undefined
}

type OperatorTestCalls = Pick<OperatorCalls, 'sessions' | 'tokens'>

export interface RecordedRun extends ScenarioRun {
  /** Opus in Ogg; undefined when there was no conversation. */
  readonly recording: Uint8Array | undefined
}

/** The workspace and the id of the key: the grant of a token that is minted with it has both. */
const identify = async (api: ApiAccess, calls: OperatorTestCalls) => {
  const { token } = tokenSchema.parse(await (await callApi(api, '/v1/tts/stream-tokens', { body: {} })).json())
  const { workspace_id, key_id } = await calls.tokens.checkStreamToken({ token })
  return { workspace_id, key_id }
}

const tokenSchema = z.object({ token: z.string() })
const startedSchema = z.object({ session_id: z.uuid(), websocket_url: z.string() })

const recordsOf = ({ sessions }: OperatorTestCalls, workspace_id: string): SessionRecords => ({
  status: async (session_id) => (await sessions.getSession({ workspace_id, session_id })).status,
  toolCalls: async (session_id) => (await sessions.listToolCalls({ workspace_id, session_id, limit: 100 })).tool_calls,
  judge: async (session_id, criteria) => (await sessions.judge({ workspace_id, session_id, criteria })).criteria,
})

type RunScenario = (scenario: Scenario) => Promise<RecordedRun>

/** Finds the Agent of a file. Rejects with `StartupError` when it cannot be tested. */
export const openScenarioRunner = async (platform: TestedPlatform, file: TestFile): Promise<RunScenario> => {
  const { calls } = platform
  const expectations = file.scenarios.flatMap(({ turns }) => turns.map(({ expect }) => expect))
  if (calls === undefined && expectations.some(({ tools, judge }) => tools.length > 0 || judge.length > 0)) {
    throw new StartupError([
      `${file.path} expects tools or a judgment, which an API key alone does not show. Run it where operators reach the services.`,
    ])
  }
  const agent = await findAgent(platform, file.agent)
  const operator = calls && { calls, key: await identify(platform, calls) }
  /** By their text. */
  const spoken = new Map<string, Int16Array>()

  const speak = async (text: string): Promise<Int16Array> => {
    const known = spoken.get(text)
    if (known !== undefined) return known
    const voice_id = file.voice ?? agent.voice_id
    const output = { format: 'pcm_s16le', sample_rate: callerRateHz }
    const response = await callApi(platform, '/v1/tts', { body: { text, voice_id, output } })
    const pcm = pcmFromBytes(new Uint8Array(await response.arrayBuffer()))
    spoken.set(text, pcm)
    return pcm
  }

  const mintToken = async ({ variables }: Scenario): Promise<string> => {
    const caller = { end_user_id: randomUUID(), variables }
    if (operator !== undefined) {
      const { calls, key } = operator
      return (await calls.tokens.mintDraftSessionToken({ ...key, agent_id: agent.id, ...caller })).token
    }
    const minted = await callApi(platform, `/v1/agents/${agent.id}/session-tokens`, { body: caller })
    return tokenSchema.parse(await minted.json()).token
  }

  return async (scenario) => {
    let caller: SpeakingCaller | undefined
    const run = await runScenario(
      {
        hasFirstMessage: agent.first_message !== null,
        records: operator && recordsOf(operator.calls, operator.key.workspace_id),
        async call({ turns }) {
          // Before the conversation, which would wait for it.
          for (const { user } of turns) if (typeof user === 'object') await speak(user.say)
          const token = await mintToken(scenario)
          const body = {
            ...{ transport: 'websocket', input_mode: 'automatic' },
            client: { name: 'parlance test', version: '1' },
          }
          const started = await callApi({ ...platform, apiKey: token }, `/v1/agents/${agent.id}/sessions`, { body })
          const { session_id: sessionId, websocket_url } = startedSchema.parse(await started.json())
          const connected = await connectCaller(websocket_url, token)
          caller = connected
          return { ...connected, sessionId, say: async (text) => connected.say(await speak(text)) }
        },
      },
      scenario,
    )
    return { ...run, recording: caller?.recording() }
  }
}
