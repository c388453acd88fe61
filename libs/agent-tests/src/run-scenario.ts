/** Runs a scenario in a conversation with an Agent, and compares the conversation with what is expected. */
import type { JudgedCriterion, SessionStatus, SessionToolCall } from '@parlance/contracts'
import type { Scenario, Turn } from './scenario-file.js'

export interface Message {
  readonly id: string
  readonly role: 'user' | 'agent'
  readonly text: string
}

/** The Agent's part of a turn. */
export interface Reply {
  /** Of both sides, in their order. */
  readonly messages: readonly Message[]
  /** From the user's last sound, or from the typed message, to the beginning of the reply; undefined without one. */
  readonly delayMs: number | undefined
}

/** The user of a conversation. Replies reject with the reason when there is none. */
export interface Caller {
  readonly sessionId: string
  /** Waits for the first message of the Agent. */
  listen(): Promise<Reply>
  type(text: string): Promise<Reply>
  /** Undefined for a caller that only types. */
  readonly say?: ((text: string) => Promise<Reply>) | undefined
  /** Resolves when the conversation is over for the caller. */
  hangUp(): Promise<void>
}

/** The records of conversations. */
export interface SessionRecords {
  status(sessionId: string): Promise<SessionStatus>
  toolCalls(sessionId: string): Promise<readonly Pick<SessionToolCall, 'name' | 'message_id'>[]>
  /** Of a conversation that has ended, by the model of its Agent. */
  judge(
    sessionId: string,
    criteria: { readonly name: string; readonly description: string }[],
  ): Promise<readonly JudgedCriterion[]>
}

export interface TestedAgent {
  readonly hasFirstMessage: boolean
  /** Starts a conversation. */
  call(scenario: Scenario): Promise<Caller>
  /** Without them nothing is known of tools, and nothing is judged. */
  readonly records: SessionRecords | undefined
}

/** A turn as it went. */
export interface TurnResult extends Reply {
  readonly tools: readonly string[]
}

/** What was expected and did not happen. */
export interface Failure {
  /** From 1; undefined for one of the whole conversation. */
  readonly turn: number | undefined
  readonly reason: string
}

export interface ScenarioRun {
  readonly failures: readonly Failure[]
  readonly turns: readonly TurnResult[]
  /** What the Agent's model found of the whole conversation. */
  readonly judgments: readonly JudgedCriterion[]
  readonly durationMs: number
  /** Undefined when there was no conversation. */
  readonly sessionId: string | undefined
}

export const hasPassed = ({ failures }: Pick<ScenarioRun, 'failures'>): boolean => failures.length === 0

export const failureText = ({ turn, reason }: Failure): string =>
  turn === undefined ? reason : `turn ${turn}: ${reason}`

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

type MessageCall = Pick<SessionToolCall, 'name' | 'message_id'>

/** Calls belong to the turn with their message. Those of a message that was never played belong to the last turn. */
const withTools = (replies: readonly Reply[], calls: readonly MessageCall[]): readonly TurnResult[] => {
  const turnOf = ({ message_id }: MessageCall): number => {
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
const recordIntervalMs = 100

const waitForRecord = async (records: SessionRecords, sessionId: string): Promise<void> => {
  const giveUpAtMs = performance.now() + recordWithinMs
  for (;;) {
    const status = await records.status(sessionId)
    if (status === 'ended' || status === 'failed') return
    if (performance.now() > giveUpAtMs) throw new Error('the record was not complete in time')
    await new Promise((resolve) => setTimeout(resolve, recordIntervalMs))
  }
}

/** The errors of services, and those that the API answers with, have a `detail` for people. */
const reasonOf = (error: unknown): string => {
  if (typeof error === 'object' && error !== null && 'detail' in error) return String(error.detail)
  return error instanceof Error ? error.message : String(error)
}

const talk = async (
  { hasFirstMessage }: TestedAgent,
  caller: Caller,
  { turns }: Scenario,
  replies: Reply[],
): Promise<void> => {
  const waitsForGreeting = turns[0]!.user === undefined
  if (waitsForGreeting && !hasFirstMessage) throw new Error('the Agent has no first message')
  if (!waitsForGreeting && hasFirstMessage) await caller.listen()
  for (const { user } of turns) {
    if (user === undefined) replies.push(await caller.listen())
    else if (typeof user === 'string') replies.push(await caller.type(user))
    else if (caller.say === undefined) throw new Error('the user can only type here')
    else replies.push(await caller.say(user.say))
  }
}

const judge = async (records: SessionRecords, sessionId: string, { turns }: Scenario) => {
  const descriptions = turns.flatMap(({ expect }) => expect.judge)
  if (descriptions.length === 0) return []
  const criteria = descriptions.map((description, index) => ({ name: String(index + 1), description }))
  return records.judge(sessionId, criteria)
}

/** Such as "judged as success: The Agent greets the user. (It said hello.)". */
export const judgmentText = ({ description, result, reason }: JudgedCriterion): string =>
  `judged as ${result}: ${description} (${reason})`

/** Never rejects: what goes wrong is a failure of the run. */
export const runScenario = async (agent: TestedAgent, scenario: Scenario): Promise<ScenarioRun> => {
  const { records } = agent
  const beganMs = performance.now()
  const replies: Reply[] = []
  const failures: Failure[] = []
  let judgments: readonly JudgedCriterion[] = []
  let caller: Caller | undefined
  try {
    caller = await agent.call(scenario)
    await talk(agent, caller, scenario, replies)
  } catch (error) {
    failures.push({ turn: replies.length + 1, reason: reasonOf(error) })
  }
  await caller?.hangUp()
  let turns = withTools(replies, [])
  if (caller !== undefined && records !== undefined) {
    const { sessionId } = caller
    try {
      await waitForRecord(records, sessionId)
      turns = withTools(replies, await records.toolCalls(sessionId))
      if (failures.length === 0) judgments = await judge(records, sessionId, scenario)
    } catch (error) {
      failures.push({ turn: undefined, reason: reasonOf(error) })
    }
  }
  const lacking = turns.flatMap((result, index) =>
    failuresOf(scenario.turns[index]!, result).map((reason) => ({ turn: index + 1, reason })),
  )
  const judgedFalse = judgments
    .filter(({ result }) => result !== 'success')
    .map((judgment) => ({ turn: undefined, reason: judgmentText(judgment) }))
  return {
    failures: [...lacking, ...failures, ...judgedFalse],
    turns,
    judgments,
    durationMs: performance.now() - beganMs,
    sessionId: caller?.sessionId,
  }
}
