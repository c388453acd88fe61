import { iterate } from '@parlance/async/push-stream'
import { createClient, createInProcessBus, type Handlers, type ServedContract, serve } from '@parlance/bus'
import {
  ServiceError,
  type SpeechPurpose,
  type SynthesisChunk,
  type SynthesisRequest,
  ttsContract,
} from '@parlance/contracts'
import { createSpeechTimeline } from '@parlance/speech'
import { createSynthesize } from '../../src/speech/synthesize.js'
import { lane, spoken, voiceId, workspaceId } from './scripted-speech.js'

interface Waiting {
  deadlineMs?: number
  signal?: AbortSignal
  purpose?: SpeechPurpose
}

export type Synthesize = Handlers<typeof ttsContract>['synthesize']

export const request: SynthesisRequest = {
  workspace_id: workspaceId,
  text: 'Hello',
  cuts: [],
  voice: voiceId,
  variant: null,
  language: null,
  output: { format: 'pcm_s16le', sample_rate: 24000, bit_rate: null },
  speed: 1,
  volume: 1,
  alignment: [],
  private: false,
}

/** The subject and the queue group of the workers. */
export const subject = `parlance.tts.synthesize.${lane}`
export const queue = `tts.${lane}`

/** The events of a speech of one segment. */
export const whole = ['started', 'audio', 'segment', 'done']

/** Throws an error of this code before the first chunk. */
export const failing = (code: ConstructorParameters<typeof ServiceError>[0]): Synthesize =>
  async function* () {
    throw new ServiceError(code, 'No.')
  }

/** Workers on a bus of their own, which are stopped after each test. */
export const createWorkers = () => {
  const bus = createInProcessBus()
  const tts = createClient(bus, ttsContract)
  const open: ServedContract[] = []
  const stopAll = () => Promise.all(open.splice(0).map((served) => served.stop()))
  afterEach(stopAll)

  /** A worker, and the number of its requests. */
  const startWorker = async (synthesize: Synthesize = (asked) => spoken(asked), at = lane) => {
    const worker = { asked: 0, served: undefined as unknown as ServedContract }
    const counted: Synthesize = (asked, context) => {
      worker.asked += 1
      return synthesize(asked, context)
    }
    worker.served = await serve(bus, ttsContract, { synthesize: counted }, { instanceId: `w${open.length}`, lane: at })
    open.push(worker.served)
    return worker
  }

  /** Returns the chunks of a speech, read one by one. */
  const read = async (
    { deadlineMs = 10_000, signal = new AbortController().signal, ...patience }: Waiting = {},
    asked: SynthesisRequest = request,
  ): Promise<SynthesisChunk[]> => {
    const chunks: SynthesisChunk[] = []
    const { place } = createSpeechTimeline()
    for await (const chunk of iterate(createSynthesize(tts)(asked, { lane, deadlineMs, ...patience }), signal)) {
      const placed = place(chunk)
      if (placed !== undefined) chunks.push(placed)
    }
    return chunks
  }
  const speak = async (waiting?: Waiting) => (await read(waiting)).map(({ event }) => event)

  return { bus, tts, startWorker, stopAll, read, speak }
}
