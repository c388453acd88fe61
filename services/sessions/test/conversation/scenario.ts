/**
 * Scripted conversations: `conversation().ready().user('Hello.').agent().interruptAfter(300).user('Stop.').run()`.
 *
 * Time is faked: it passes in steps of 10 ms, after each of which all pending work is done. A microphone sends a frame every
 * 20 ms, which is silence unless the user speaks. At the end `run` checks the invariants.
 */
import { randomUUID } from 'node:crypto'
import { type AgentConfig, agentConfigSchema, type EndReason, type SessionClientEvent } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { vi } from 'vitest'
import type {
  AgentParts,
  Background,
  Conversation,
  ConversationEnd,
  ConversationStep,
  FindKnowledge,
  SpeakSegment,
} from '../../src/conversation/conversation.js'
import { openConversation } from '../../src/conversation/open-conversation.js'
import type { LanguageModel } from '../../src/llm/language-model.js'
import { frameMs, type LossReason, type TransportListener } from '../../src/media/transport.js'
import type { Recognizer } from '../../src/stt/recognizer.js'
import type { Tool } from '../../src/tools/tool.js'
import { createFakeJournal } from './fake-journal.js'
import { createFakeTransport, createWatchedPlayback, type SentEvent } from './fake-peer.js'
import {
  createFakeDetector,
  createFakeModel,
  createFakeRecognizer,
  createFakeSpeech,
  createFakeTurnDetector,
  type ScriptedReply,
  type ScriptedTurnDetector,
} from './fake-stages.js'
import type { FakeTool } from './fake-tools.js'
import { expectInvariants } from './invariants.js'
import type { Recording } from './replay.js'

export interface Setup {
  readonly inputMode?: 'automatic' | 'push-to-talk'
  readonly microphone?: boolean
  /** False for a conversation without speech. */
  readonly speech?: boolean
  /** Default: `websocket`. */
  readonly transport?: 'webrtc'
  /** False for none; a recognizer in place of the one that is scripted. */
  readonly recognizer?: false | Recognizer
  readonly finishMs?: number
  /** Without it there is no turn detector. */
  readonly turnDetector?: ScriptedTurnDetector
  readonly config?: Partial<Pick<AgentConfig, 'first_message' | 'first_message_interruptible' | 'system_prompt'>>
  /** A BCP 47 tag. */
  readonly voice?: string
  readonly turn?: Partial<AgentConfig['turn_config']>
  readonly session?: Partial<AgentConfig['session_config']>
  readonly tools?: readonly (Tool | FakeTool)[]
  /** What the page can do. */
  readonly pageTools?: AgentConfig['tools']
  readonly background?: Partial<Background> | Promise<Background>
  /** The Agents to which the conversation may be transferred, by their slugs, with their prompts. */
  readonly others?: Readonly<Record<string, string>>
  readonly findKnowledge?: FindKnowledge
  /** In place of the one that is scripted. */
  readonly model?: LanguageModel
}

export const sessionId = '5f8a1f52-6b0c-4b7e-9d5e-0c6f4f1f1a01'

/** Resolves when all work that needs no time is done. */
const settled = async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
}

const stepMs = 10
let logged: Record<string, unknown>[] = []
/** Created before time is faked, since it has a timer of its own. */
const logger = createLogger({ level: 'debug', destination: { write: (line) => void logged.push(JSON.parse(line)) } })

export const startTalk = (setup: Setup = {}) => {
  const { inputMode = 'automatic', microphone = true } = setup
  const { transport, peer } = createFakeTransport(setup.transport)
  const { playback, played } = createWatchedPlayback()
  const detector = createFakeDetector()
  const stt = createFakeRecognizer(setup)
  const turnDetector = setup.turnDetector && createFakeTurnDetector(setup.turnDetector)
  const llm = createFakeModel()
  const tts = createFakeSpeech()
  const { journal, kept } = createFakeJournal()
  const steps: ConversationStep[] = []
  const userAudio: Int16Array[] = []
  logged = []
  let ended: ConversationEnd | undefined

  const config = agentConfigSchema.parse({
    slug: 'an-agent',
    display_name: 'An agent',
    voice_id: '0'.repeat(32),
    llm_provider: 'builtin',
    llm_model: 'builtin',
    ...setup.config,
    // The pauses and sounds of the scenarios are made for these.
    turn_config: { endpointing_min_ms: 500, interruption_min_ms: 500, ...setup.turn },
    session_config: setup.session ?? {},
    tools: setup.pageTools ?? [],
    voice_config: { language: setup.voice ?? null },
  })
  const parts: AgentParts = {
    config,
    model: setup.model ?? llm.model,
    speakSegment: setup.speech === false ? undefined : tts.speakSegment,
    voiceLanguage: setup.voice ?? 'en',
    tools: setup.tools ?? [],
    findKnowledge: setup.findKnowledge,
    background:
      setup.background instanceof Promise
        ? setup.background
        : Promise.resolve({ memories: [], appointments: [], metadata: {}, ...setup.background }),
  }
  const others = Object.entries(setup.others ?? {})
  const spokenByOthers: string[] = []
  const conversation: Conversation = openConversation({
    ...parts,
    sessionId,
    requestId: 'request-1',
    transfer: {
      targets: others.map(([slug]) => ({ slug, description: `Knows ${slug}.` })),
      async open(slug) {
        const system_prompt = setup.others![slug]!
        const speakSegment: SpeakSegment = (segment, options) => {
          spokenByOthers.push(`${slug}: ${segment.text}`)
          return tts.speakSegment(segment, options)
        }
        return { ...parts, speakSegment, tools: [], config: { ...config, slug, system_prompt } }
      },
    },
    inputMode,
    transport,
    playback,
    journal,
    recordStep: (step) => void steps.push(step),
    onUserAudio: (frame) => void userAudio.push(frame),
    voiceDetector: microphone ? detector : undefined,
    recognizer: setup.recognizer === false ? undefined : (setup.recognizer ?? stt.recognizer),
    turnDetector: turnDetector?.detector,
    timeZone: 'UTC',
    logger,
    startSpan: () => undefined,
  })
  void conversation.ended.then((end) => {
    ended = end
  })

  /** A transport that is closed calls no listener. */
  const toConversation = (call: (listener: TransportListener) => void) => {
    if (peer.closed === 0) call(peer.listener!)
  }

  const pass = async (ms: number, mic: 'silence' | 'voice' | 'nothing' = 'silence') => {
    for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
      if (microphone && mic !== 'nothing' && passedMs % frameMs === 0) {
        toConversation((to) => to.onAudio(new Int16Array(320).fill(mic === 'voice' ? 1000 : 0)))
      }
      vi.advanceTimersByTime(stepMs)
      await settled()
    }
  }

  return {
    conversation,
    sent: peer.sent as readonly SentEvent[],
    played,
    kept,
    journal,
    transport,
    playback,
    recording: { inputMode, config, detectsTurns: turnDetector !== undefined, steps } satisfies Recording,
    detector,
    stt: stt.script,
    /** The frames of the microphone that the conversation used. */
    userAudio: userAudio as readonly Int16Array[],
    /** The audio about which the turn detector was asked. */
    judged: turnDetector?.judged ?? [],
    llm: llm.script,
    tts: tts.script,
    logged: logged as readonly Record<string, unknown>[],
    closed: () => peer.closed,
    ended: () => ended,
    pass,
    settled,
    tools: setup.tools ?? [],
    /** The segments that other Agents spoke after a transfer. */
    spokenByOthers: spokenByOthers as readonly string[],
    /** The calls of the tools that are stand-ins. */
    calls: () => (setup.tools ?? []).flatMap((tool) => ('calls' in tool ? tool.calls : [])),
    open: () => toConversation((to) => to.onOpen()),
    /** A frame of the microphone. */
    receive: (frame: Int16Array) => toConversation((to) => to.onAudio(frame)),
    send: (event: SessionClientEvent) => toConversation((to) => to.onEvent(event)),
    lose: (reason: LossReason) => toConversation((to) => to.onLost(reason)),

    events: <Name extends SentEvent['event']>(name: Name) =>
      peer.sent.filter((event): event is Extract<SentEvent, { event: Name }> => event.event === name),
    /** The messages of the record, with a dash where one was interrupted. */
    transcript: () => kept.messages.map(({ role, text, interrupted }) => `${role}: ${text}${interrupted ? ' —' : ''}`),
    /** The results of calls in the last request to the model. */
    answers: () =>
      (llm.script.requests.at(-1)?.messages ?? []).flatMap((message) =>
        message.role === 'calls' ? message.calls.map(({ name, result }) => `${name}: ${result}`) : [],
      ),
    states: () => peer.sent.flatMap((event) => (event.event === 'agent.state' ? [event.state] : [])),
    errors: () => peer.sent.flatMap((event) => (event.event === 'error' ? [event.code] : [])),
  }
}

export type Talk = ReturnType<typeof startTalk>

/** The longest that a step waits for something. */
const maxWaitMs = 60_000

export const conversation = (setup: Setup = {}) => {
  const steps: ((talk: Talk) => unknown)[] = []
  const step = (act: (talk: Talk) => unknown) => {
    steps.push(act)
    return scenario
  }

  const passUntil = async (talk: Talk, what: string, met: () => boolean) => {
    for (let passedMs = 0; !met(); passedMs += frameMs) {
      if (passedMs > maxWaitMs) throw new Error(`${what}: it did not happen`)
      await talk.pass(frameMs)
    }
  }

  const scenario = {
    /** The connection to the client is open. */
    open: () => step((talk) => talk.open()),
    ready: () =>
      step(async (talk) => {
        talk.open()
        talk.send({ event: 'client.ready' })
        await talk.settled()
      }),
    send: (event: SessionClientEvent) =>
      step(async (talk) => {
        talk.send(event)
        await talk.settled()
      }),
    lost: (reason: LossReason) => step((talk) => talk.lose(reason)),
    end: (reason: EndReason, deadlineMs: number) => step((talk) => talk.conversation.end(reason, deadlineMs)),

    /** The user speaks for so long; this text is recognized. */
    user: (text: string, voicedMs = 600) =>
      step(async (talk) => {
        talk.stt.texts.push(text)
        await talk.pass(voicedMs, 'voice')
      }),
    /** There is voice for so long, with the text of `recognizes`, or none. */
    voice: (ms: number) => step((talk) => talk.pass(ms, 'voice')),
    /** The text that is recognized so far. */
    partial: (text: string) => step((talk) => talk.stt.partial(text)),
    types: (text: string, id: string = randomUUID()) => scenario.send({ event: 'text.send', id, text }),
    pause: (ms: number) => step((talk) => talk.pass(ms)),
    /** The microphone sends no frames, not even silence. */
    noAudio: (ms: number) => step((talk) => talk.pass(ms, 'nothing')),

    /** The next results of recognition, the model and speech. */
    recognizes: (...texts: (string | undefined)[]) => step((talk) => talk.stt.texts.push(...texts)),
    previews: (...texts: (string | undefined)[]) => step((talk) => talk.stt.previews.push(...texts)),
    replies: (...replies: ScriptedReply[]) => step((talk) => talk.llm.replies.push(...replies)),
    /** The page answers the last call that it was sent, or one before that. */
    pageAnswers: (result: unknown, { isError = false, before = 0 } = {}) =>
      step(async (talk) => {
        const call = talk.events('tool.call').at(-1 - before)
        if (call === undefined) throw new Error('the page was sent no call')
        talk.send({ event: 'tool.result', tool_call_id: call.tool_call_id, result, is_error: isError })
        await talk.settled()
      }),
    pageIsCalled: () =>
      step((talk) => {
        const before = talk.events('tool.call').length
        return passUntil(talk, 'the page is called', () => talk.events('tool.call').length > before)
      }),
    speechFails: (...failures: (Error | undefined)[]) => step((talk) => talk.tts.failures.push(...failures)),

    /** Until audio of the agent is played. */
    agent: () =>
      step((talk) => {
        const before = talk.played.frames.length
        return passUntil(talk, 'the agent speaks', () => talk.played.frames.length > before)
      }),
    /** Until audio of the agent was played for so long. */
    interruptAfter: (ms: number) => scenario.pause(ms),
    /** Until the agent has finished. */
    agentIsDone: () =>
      step((talk) =>
        passUntil(talk, 'the agent is done', () => ['listening', undefined].includes(talk.states().at(-1))),
      ),
    isOver: () => step((talk) => passUntil(talk, 'the conversation is over', () => talk.ended() !== undefined)),
    look: (at: (talk: Talk) => unknown) => step(at),

    run: async (): Promise<Talk> => {
      const talk = startTalk(setup)
      for (const act of steps) await act(talk)
      talk.conversation.end('api_ended', 0)
      await talk.settled()
      await talk.pass(200)
      expectInvariants(talk)
      return talk
    },
  }
  return scenario
}

/** To be called in each file with scripted conversations. */
export const fakeTime = () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}
