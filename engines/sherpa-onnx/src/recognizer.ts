import { performance } from 'node:perf_hooks'
import { EngineUnavailableError, type HostedRecognizer } from '@parlance/engine/host'
import type { RecognitionFiles, RecognitionModel } from '@parlance/models'
import type { OnlineStream } from 'sherpa-onnx-node'
import { decoding, type ModelRecognizer, sampleRate, samplesToFloats } from './model-recognizer.js'
import { openOffline } from './offline-recognizer.js'
import { loadSherpaOnnx, sherpaVersion } from './sherpa-library.js'

const openModel = (model: RecognitionModel, threads: number): Promise<ModelRecognizer> =>
  model.files.kind === 'streaming-transducer'
    ? openStreaming(model.files, model, threads)
    : openOffline(model.files, model, threads)

/**
 * Loads a model. Wrong files may end the process, now or later. Rejects with `EngineUnavailableError` where the library does
 * not run on this machine or cannot load the model.
 */
export const openRecognizer = async (model: RecognitionModel, threads: number): Promise<HostedRecognizer> => {
  const recognizer = await openModel(model, threads).catch((cause: Error) => {
    if (cause instanceof EngineUnavailableError) throw cause
    throw new EngineUnavailableError(`the model ${model.name} cannot be loaded: ${cause.message}`, { cause })
  })
  return {
    hello: {
      engine: 'sherpa-onnx',
      version: sherpaVersion(),
      sampleRateHz: sampleRate,
      languages: model.languages,
      streaming: model.chunkMs > 0,
    },
    ...recognizer,
    text: () => {
      const text = recognizer.text().trim()
      return model.writesCapitals ? text.toLowerCase() : text
    },
    acoustics: () => [],
  }
}

/** Checks that the model recognizes without an error, and makes the first utterance as fast as the next. */
export const warmUpRecognizer = (recognizer: HostedRecognizer, samples: Int16Array): void => {
  recognizer.begin({ language: '', acoustics: null })
  recognizer.accept(samples)
  recognizer.end()
}

const warmUpMs = 1000

/**
 * Warms the recognizer up, and returns how many times as fast as real time it is at least, since the first utterance
 * takes longest. A recognizer that seems to be slower than speech is measured once more.
 */
export const measurePace = (recognizer: HostedRecognizer): number => {
  const silence = new Int16Array((warmUpMs * sampleRate) / 1000)
  const paceOf = () => {
    const startedMs = performance.now()
    warmUpRecognizer(recognizer, silence)
    return warmUpMs / (performance.now() - startedMs)
  }
  const first = paceOf()
  return first >= 1 ? first : Math.max(first, paceOf())
}

/** Silence added after an utterance: a model writes a word a little after its end. */
const tailMs = 200

/** Recognizes an utterance while it is received. */
const openStreaming = async (
  { encoder, decoder, joiner }: Extract<RecognitionFiles, { kind: 'streaming-transducer' }>,
  { tokens, chunkMs }: RecognitionModel,
  numThreads: number,
): Promise<ModelRecognizer> => {
  const { OnlineRecognizer } = await loadSherpaOnnx()
  const modelConfig = { transducer: { encoder, decoder, joiner }, tokens, numThreads, provider: 'cpu' } as const
  const recognizer = new OnlineRecognizer({ ...decoding, modelConfig, enableEndpoint: 0 })
  // The model does not read an incomplete chunk. So much silence completes the last one.
  const tail = new Float32Array(((chunkMs + tailMs) * sampleRate) / 1000)
  let stream: OnlineStream
  const decode = (samples: Float32Array) => {
    stream.acceptWaveform({ samples, sampleRate })
    while (recognizer.isReady(stream)) recognizer.decode(stream)
  }
  return {
    begin: () => {
      stream = recognizer.createStream()
    },
    accept: (samples) => decode(samplesToFloats(samples)),
    end: () => decode(tail),
    text: () => recognizer.getResult(stream).text,
  }
}
