/** Runs a scenario against an Agent and compares the conversation with what is expected. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { pcmFromBytes } from '@parlance/audio'
import { ServiceError, type SessionToolCall } from '@parlance/contracts'
import { StartupError } from '@parlance/runtime/process'
import { z } from 'zod'
import { type ApiAccess, callApi, findAgent } from '../api.js'
import type { OperatorCalls } from '../operator-calls.js'
import { type Caller, callerRateHz, connectCaller, type Message, type Reply } from './caller.js'
import type { Scenario, ScenarioFile, Turn } from './scenario-file.js'

/**
 * The public API with the key of a workspace, and the calls of an operator, who may talk with drafts. Without those, scenarios run
 * against what is published, and cannot expect tools or a judgment.
 */
export interface TestedPlatform extends ApiAccess {
  readonly calls?: OperatorTestCalls | undefined
}

type OperatorTestCalls = Pick<OperatorCalls, 'sessions' | 'tokens'>

/** A turn as it went. */
export interface TurnResult {
  readonly messages: readonly Message[]
  readonly tools: readonly string[]
  readonly delayMs: number | undefined
}

export interface ScenarioRun {
  /** What was expected and did not happen; empty when the run passed. */
  readonly failures: readonly string[]
  readonly turns: readonly TurnResult[]
  readonly durationMs: number
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

/** Of letters and digits, with single spaces between and around them. */
const normalized = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `

const replyOf = ({ messages }: Pick<TurnResult, 'messages'>): string =>
  messages
    .filter(({ role }) => role === 'agent')
    .map(({ text }) => text)
    .join(' ')

/** What a turn lacks. */
export const failuresOf = ({ expect }: Turn, result: TurnResult): readonly string[] => {
  const reply = normalized(replyOf(result))
  const { delayMs } = result
  return [
    ...expect.words.filter((words) => !reply.includes(normalized(words))).map((words) => `the reply lacks "${words}"`),
    ...expect.tools.filter((name) => !result.tools.includes(name)).map((name) => `the tool ${name} was not called`),
    ...(expect.within_ms === undefined || (delayMs !== undefined && delayMs <= expect.within_ms)
      ? []
      : [
          delayMs === undefined
            ? 'the reply had no sound'
            : `the reply came after ${Math.round(delayMs)} ms, not within ${expect.within_ms} ms`,
        ]),
  ]
}

/** Calls belong to the turn with their message. Those of a message that was never played belong to the last turn. */
const withTools = (replies: readonly Reply[], calls: readonly SessionToolCall[]): readonly TurnResult[] => {
  const turnOf = ({ message_id }: SessionToolCall): number => {
    const index = replies.findIndex(({ messages }) => messages.some(({ id }) => id === message_id))
    return index === -1 ? replies.length - 1 : index
  }
  return replies.map((reply, index) => ({
    ...reply,
    tools: calls.filter((made) => turnOf(made) === index).map(({ name }) => name),
  }))
}

/** How long the record may take to be complete after the end. */
const recordWithinMs = 10_000

const waitForRecord = async (calls: OperatorTestCalls, address: { workspace_id: string; session_id: string }) => {
  const giveUpAtMs = performance.now() + recordWithinMs
  for (;;) {
    const { status } = await calls.sessions.getSession(address)
    if (status === 'ended' || status === 'failed') return
    if (performance.now() > giveUpAtMs) throw new Error('the record was not complete in time')
    await delay(100)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export type RunScenario = (scenario: Scenario) => Promise<ScenarioRun>

/** Finds the Agent of a file. Rejects with `StartupError` when it cannot be tested. */
export const openScenarioRunner = async (platform: TestedPlatform, file: ScenarioFile): Promise<RunScenario> => {
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

  const talk = async (caller: Caller, { turns }: Scenario, replies: Reply[]): Promise<void> => {
    const waitsForGreeting = turns[0]!.user === undefined
    if (waitsForGreeting && agent.first_message === null) throw new Error('the Agent has no first message')
    if (!waitsForGreeting && agent.first_message !== null) await caller.listen()
    for (const { user } of turns) {
      if (user === undefined) replies.push(await caller.listen())
      else if (typeof user === 'string') replies.push(await caller.type(user))
      else replies.push(await caller.say(await speak(user.say)))
    }
  }

  /** What the Agent's model finds not to be true of the conversation. */
  const judge = async (
    { turns }: Scenario,
    calls: OperatorTestCalls,
    address: { workspace_id: string; session_id: string },
  ) => {
    const descriptions = turns.flatMap(({ expect }) => expect.judge)
    if (descriptions.length === 0) return []
    const criteria = descriptions.map((description, index) => ({ name: String(index + 1), description }))
    const judged = await calls.sessions.judge({ ...address, criteria })
    return judged.criteria
      .filter(({ result }) => result !== 'success')
      .map(({ description, result, reason }) => `judged as ${result}: ${description} (${reason})`)
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
    const beganMs = performance.now()
    // Before the conversation, which would wait for it.
    for (const { user } of scenario.turns) if (typeof user === 'object') await speak(user.say)
    const token = await mintToken(scenario)
    const body = { transport: 'websocket', input_mode: 'automatic', client: { name: 'parlance test', version: '1' } }
    const started = await callApi({ ...platform, apiKey: token }, `/v1/agents/${agent.id}/sessions`, { body })
    const { session_id, websocket_url } = startedSchema.parse(await started.json())
    let caller: Caller | undefined
    const replies: Reply[] = []
    const failures: string[] = []
    try {
      caller = await connectCaller(websocket_url, token)
      await talk(caller, scenario, replies)
    } catch (error) {
      failures.push(`turn ${replies.length + 1}: ${messageOf(error)}`)
    }
    await caller?.hangUp()
    let turns: readonly TurnResult[] = withTools(replies, [])
    if (operator !== undefined) {
      const { calls, key } = operator
      const address = { workspace_id: key.workspace_id, session_id }
      try {
        await waitForRecord(calls, address)
        turns = withTools(replies, (await calls.sessions.listToolCalls({ ...address, limit: 100 })).tool_calls)
        if (failures.length === 0) failures.push(...(await judge(scenario, calls, address)))
      } catch (error) {
        failures.push(error instanceof ServiceError ? error.detail : messageOf(error))
      }
    }
    const lacking = turns.flatMap((turn, index) =>
      failuresOf(scenario.turns[index]!, turn).map((failure) => `turn ${index + 1}: ${failure}`),
    )
    return {
      failures: [...lacking, ...failures],
      turns,
      durationMs: performance.now() - beganMs,
      recording: caller?.recording(),
    }
  }
}
