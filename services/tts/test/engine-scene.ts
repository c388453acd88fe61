import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createLogger, type Logger } from '@parlance/telemetry'
import type { Engine, SpeakOptions, SpeechEvent, SpeechMarks, Utterance } from '../src/engine/engine.js'
import { openProcessEngine, type ProcessEngineOptions } from '../src/engine/process-engine.js'

export const program = fileURLToPath(new URL('../../../engines/espeak-ng/dist/main.js', import.meta.url))

/** The processes of an engine, by its log. */
export interface WatchedProcesses {
  /** Of the processes that have been ready so far, the latest last. */
  pids(): number[]
  /** Resolves when that many processes have been ready in all. */
  ready(count: number): Promise<void>
  /** The log lines with that message. */
  logged(message: string): object[]
  /** Resolves when there are so many log lines with that message. Default 1. */
  until(message: string, count?: number): Promise<void>
}

export const watchProcesses = (): WatchedProcesses & { readonly logger: Logger } => {
  const pids: number[] = []
  const lines: { msg: string; pid: number }[] = []
  const waiting: { message: string; count: number; resolve: () => void }[] = []
  const logged = (message: string) => lines.filter(({ msg }) => msg === message)
  const write = (line: string) => {
    const entry = JSON.parse(line) as { msg: string; pid: number }
    lines.push(entry)
    if (entry.msg === 'An engine process is ready') pids.push(entry.pid)
    for (const { message, count, resolve } of waiting) if (logged(message).length >= count) resolve()
  }
  const until = (message: string, count = 1) =>
    new Promise<void>((resolve) => {
      if (logged(message).length >= count) resolve()
      else waiting.push({ message, count, resolve })
    })
  return {
    logger: createLogger({ name: 'test', destination: { write } }),
    pids: () => pids,
    logged,
    until,
    ready: (count) => until('An engine process is ready', count),
  }
}

export interface Scene extends WatchedProcesses {
  readonly engine: Engine
  /** The latest. */
  pid(): number
}

/** The real eSpeak NG in processes of its own, as the service runs it. */
export const openScene = async ({
  implementation = 'auto',
  ...options
}: Partial<ProcessEngineOptions> & { implementation?: 'auto' | 'native' | 'wasm' } = {}): Promise<Scene> => {
  if (!existsSync(program)) throw new Error('build the engines first: npm run build')
  const { logger, ...watched } = watchProcesses()
  const command = [process.execPath, program, '--implementation', implementation] as const
  const engine = await openProcessEngine({
    name: 'espeak-ng',
    synthesis: 'formant' as const,
    command,
    logger,
    processes: 1,
    ...options,
  })
  return { engine, ...watched, pid: () => watched.pids().at(-1)! }
}

export const utterance = (engine: Engine, text: string, name = 'Ada'): Utterance => {
  const voice = engine.voices.find(({ display_name }) => display_name === name)!
  return { text, voiceId: voice.id, variant: voice.variants[0]!.id, language: null, speed: 1, volume: 1 }
}

/** More than a minute of audio. */
export const longText = 'a long text with a good many words in it, '.repeat(30)

export const speech = (engine: Engine, text: string, options: Partial<SpeakOptions> & { voice?: string } = {}) =>
  engine.speak(utterance(engine, text, options.voice), { signal: new AbortController().signal, ...options })

export interface ReceivedSpeech extends SpeechMarks {
  readonly samples: number
  readonly audioMs: number
  readonly kinds: SpeechEvent['kind'][]
}

export const listen = async (engine: Engine, events: AsyncIterable<SpeechEvent>): Promise<ReceivedSpeech> => {
  const kinds: SpeechEvent['kind'][] = []
  const words = []
  const phonemes = []
  let samples = 0
  let complete = false
  let pauseMs: number | undefined
  for await (const event of events) {
    kinds.push(event.kind)
    if (event.kind === 'audio') {
      if (complete) throw new Error('audio came after its last')
      complete = event.isLast === true
      samples += event.pcm.length
    } else {
      words.push(...event.words)
      phonemes.push(...event.phonemes)
      pauseMs = event.pauseMs ?? pauseMs
    }
  }
  return { kinds, words, phonemes, samples, pauseMs, audioMs: (samples * 1000) / engine.sampleRateHz }
}

export const hear = (engine: Engine, text: string, voice?: string): Promise<ReceivedSpeech> =>
  listen(engine, speech(engine, text, voice === undefined ? {} : { voice }))

export const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Resolves with the first piece of audio, the loop left open. */
export const begin = async (events: AsyncIterable<SpeechEvent>): Promise<AsyncIterator<SpeechEvent>> => {
  const iterator = events[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done === true || first.value.kind !== 'audio') throw new Error('no audio came')
  return iterator
}

/** Reads the rest, so that the end of the speech is received. */
export const finish = async (iterator: AsyncIterator<SpeechEvent>): Promise<void> => {
  while ((await iterator.next()).done !== true);
}
