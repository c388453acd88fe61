/**
 * Conversations as they are told: `conversation().ready().user('Hello.').agent().interruptAfter(300).user('Stop.').run()`.
 *
 * Time is faked: it passes in steps of 10 ms, between which everything that can happen does. Where there is a microphone it
 * hears a frame every 20 ms, silence where nobody speaks. Whatever is told, `run` holds it to the invariants at its end.
 */
import { randomUUID } from 'node:crypto'
import { jest } from '@jest/globals'
import {
  type AgentConfig,
  agentConfigSchema,
  type EndReason,
  type SessionClientEvent,
  type SessionMessage,
  type SessionUsage,
  type TurnMetrics,
} from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import type {
  Background,
  Conversation,
  ConversationEnd,
  ConversationJournal,
} from '../../../src/call/conversation/conversation.js'
import type { ConversationStep } from '../../../src/call/conversation/conversation-step.js'
import { openConversation } from '../../../src/call/conversation/open-conversation.js'
import type { LanguageModel } from '../../../src/llm/language-model.js'
import { frameMs, type LossReason, type TransportListener } from '../../../src/media/transport.js'
import type { Tool } from '../../../src/tools/tool.js'
import { createFakeTransport, createWatchedPlayback, type SentEvent } from './fake-peer.js'
import {
  createFakeDetector,
  createFakeModel,
  createFakeRecognizer,
  createFakeSpeech,
  type ScriptedReply,
} from './fake-stages.js'
import type { FakeTool } from './fake-tools.js'
import { expectSound } from './invariants.js'
import type { Recording } from './replay.js'

export interface Setup {
  readonly inputMode?: 'automatic' | 'push-to-talk'
  readonly microphone?: boolean
  readonly recognizer?: boolean
  readonly finishMs?: number
  readonly config?: Partial<Pick<AgentConfig, 'first_message' | 'first_message_interruptible' | 'system_prompt'>>
  /** A BCP 47 tag. */
  readonly voice?: string
  readonly turn?: Partial<AgentConfig['turn_config']>
  readonly session?: Partial<AgentConfig['session_config']>
  readonly tools?: readonly (Tool | FakeTool)[]
  /** What the page can do. */
  readonly pageTools?: AgentConfig['tools']
  readonly background?: Partial<Background> | Promise<Background>
  /** In place of the one that is scripted. */
  readonly model?: LanguageModel
}

export const sessionId = '5f8a1f52-6b0c-4b7e-9d5e-0c6f4f1f1a01'

const startJournal = () => {
  const kept = {
    started: 0,
    messages: [] as SessionMessage[],
    /** Messages in progress, each with the time at which it was kept. */
    progress: [] as { readonly message: SessionMessage; readonly atMs: number }[],
    turns: [] as TurnMetrics[],
    usage: { stt_seconds: 0, llm_input_tokens: 0, llm_output_tokens: 0, tts_characters: 0 } as SessionUsage,
    endings: [] as EndReason[],
  }
  const journal: ConversationJournal = {
    started: () => void kept.started++,
    message: (message) => void kept.messages.push(message),
    progress: (message) => void kept.progress.push({ message, atMs: performance.now() }),
    turn: (metrics) => void kept.turns.push(metrics),
    used(usage) {
      for (const [name, amount] of Object.entries(usage)) kept.usage[name as keyof SessionUsage] += amount
    },
    ending: (reason) => void kept.endings.push(reason),
  }
  return { journal, kept }
}

/** Everything that can happen without time passing has happened. */
const settled = async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
}

const stepMs = 10
/** Made before time is faked: it keeps a timer of its own. */
const logger = createLogger({ level: 'silent' })

export const startTalk = (setup: Setup = {}) => {
  const { inputMode = 'automatic', microphone = true } = setup
  const { transport, peer } = createFakeTransport()
  const { playback, heard } = createWatchedPlayback()
  const detector = createFakeDetector()
  const stt = createFakeRecognizer(setup)
  const llm = createFakeModel()
  const tts = createFakeSpeech()
  const { journal, kept } = startJournal()
  const steps: ConversationStep[] = []
  let ended: ConversationEnd | undefined

  const config = agentConfigSchema.parse({
    slug: 'an-agent',
    display_name: 'An agent',
    voice_id: '0'.repeat(32),
    llm_provider: 'builtin',
    llm_model: 'builtin',
    ...setup.config,
    turn_config: setup.turn ?? {},
    session_config: setup.session ?? {},
    tools: setup.pageTools ?? [],
    voice_config: { language: setup.voice ?? null },
  })
  const conversation: Conversation = openConversation({
    sessionId,
    requestId: 'request-1',
    config,
    inputMode,
    transport,
    playback,
    journal,
    recordStep: (step) => void steps.push(step),
    voiceDetector: microphone ? detector : undefined,
    recognizer: setup.recognizer === false ? undefined : stt.recognizer,
    model: setup.model ?? llm.model,
    speakSegment: tts.speakSegment,
    voiceLanguage: setup.voice ?? 'en',
    tools: setup.tools ?? [],
    background:
      setup.background instanceof Promise
        ? setup.background
        : Promise.resolve({ memories: [], appointments: [], metadata: {}, ...setup.background }),
    logger,
  })
  void conversation.ended.then((end) => {
    ended = end
  })

  /** After the end a transport calls nobody. */
  const toConversation = (tell: (listener: TransportListener) => void) => {
    if (peer.closed === 0) tell(peer.listener!)
  }

  const pass = async (ms: number, mic: 'silence' | 'voice' | 'nothing' = 'silence') => {
    for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
      if (microphone && mic !== 'nothing' && passedMs % frameMs === 0) {
        toConversation((to) => to.onAudio(new Int16Array(320).fill(mic === 'voice' ? 1000 : 0)))
      }
      jest.advanceTimersByTime(stepMs)
      await settled()
    }
  }

  return {
    conversation,
    sent: peer.sent as readonly SentEvent[],
    heard,
    kept,
    journal,
    transport,
    playback,
    recording: { inputMode, config, steps } satisfies Recording,
    detector,
    stt: stt.script,
    llm: llm.script,
    tts: tts.script,
    closed: () => peer.closed,
    ended: () => ended,
    pass,
    settled,
    tools: setup.tools ?? [],
    /** Of stand-ins among them. */
    calls: () => (setup.tools ?? []).flatMap((tool) => ('calls' in tool ? tool.calls : [])),
    open: () => toConversation((to) => to.onOpen()),
    send: (event: SessionClientEvent) => toConversation((to) => to.onEvent(event)),
    lose: (reason: LossReason) => toConversation((to) => to.onLost(reason)),

    events: <Name extends SentEvent['event']>(name: Name) =>
      peer.sent.filter((event): event is Extract<SentEvent, { event: Name }> => event.event === name),
    /** The record, with a dash where somebody was interrupted. */
    said: () => kept.messages.map(({ role, text, interrupted }) => `${role}: ${text}${interrupted ? ' —' : ''}`),
    /** What the model was told of calls when it was last asked. */
    answers: () =>
      (llm.script.requests.at(-1)?.messages ?? []).flatMap((message) =>
        message.role === 'calls' ? message.calls.map(({ name, result }) => `${name}: ${result}`) : [],
      ),
    states: () => peer.sent.flatMap((event) => (event.event === 'agent.state' ? [event.state] : [])),
    errors: () => peer.sent.flatMap((event) => (event.event === 'error' ? [event.code] : [])),
  }
}

export type Talk = ReturnType<typeof startTalk>

/** So long nobody waits for anything. */
const patienceMs = 60_000

export const conversation = (setup: Setup = {}) => {
  const steps: ((talk: Talk) => unknown)[] = []
  const step = (act: (talk: Talk) => unknown) => {
    steps.push(act)
    return scenario
  }

  const passUntil = async (talk: Talk, what: string, met: () => boolean) => {
    for (let passedMs = 0; !met(); passedMs += frameMs) {
      if (passedMs > patienceMs) throw new Error(`${what}: this did not come to pass`)
      await talk.pass(frameMs)
    }
  }

  const scenario = {
    /** The way to the peer is open. */
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

    /** The user says this, and then is silent. */
    user: (text: string, voicedMs = 600) =>
      step(async (talk) => {
        talk.stt.texts.push(text)
        await talk.pass(voicedMs, 'voice')
      }),
    /** There is a voice, of which nothing is understood that nobody says. */
    voice: (ms: number) => step((talk) => talk.pass(ms, 'voice')),
    /** What is understood so far. */
    partial: (text: string) => step((talk) => talk.stt.partial(text)),
    types: (text: string, id: string = randomUUID()) => scenario.send({ event: 'text.send', id, text }),
    pause: (ms: number) => step((talk) => talk.pass(ms)),
    /** The microphone sends not even silence. */
    nothingComes: (ms: number) => step((talk) => talk.pass(ms, 'nothing')),

    /** What recognition, the model and speech are to do. */
    understands: (...texts: (string | undefined)[]) => step((talk) => talk.stt.texts.push(...texts)),
    replies: (...replies: ScriptedReply[]) => step((talk) => talk.llm.replies.push(...replies)),
    /** The page answers the call that it was told of last, or one before that. */
    pageAnswers: (result: unknown, { isError = false, before = 0 } = {}) =>
      step(async (talk) => {
        const call = talk.events('tool.call').at(-1 - before)
        if (call === undefined) throw new Error('the page was told of no call')
        talk.send({ event: 'tool.result', tool_call_id: call.tool_call_id, result, is_error: isError })
        await talk.settled()
      }),
    pageIsCalled: () =>
      step((talk) => {
        const before = talk.events('tool.call').length
        return passUntil(talk, 'the page is called', () => talk.events('tool.call').length > before)
      }),
    speechFails: (...failures: (Error | undefined)[]) => step((talk) => talk.tts.failures.push(...failures)),

    /** The agent is heard. */
    agent: () =>
      step((talk) => {
        const before = talk.heard.frames.length
        return passUntil(talk, 'the agent speaks', () => talk.heard.frames.length > before)
      }),
    /** What follows comes when the agent has been heard for so long. */
    interruptAfter: (ms: number) => scenario.pause(ms),
    /** The agent has said what it had to say. */
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
      expectSound(talk)
      return talk
    },
  }
  return scenario
}

/** To be called in each file that tells of conversations. */
export const fakeTime = () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] })
  })
  afterEach(() => {
    jest.useRealTimers()
  })
}
