import { concatPcm } from '@parlance/audio'
import { EngineUnavailableError, type HostedRecognizer } from '@parlance/engine/host'
import type { RecognitionFiles, RecognitionModel } from '@parlance/models'
import type { OnlineStream } from 'sherpa-onnx-node'
import { loadSherpaOnnx, sherpaVersion } from './sherpa-library.js'

const sampleRate = 16_000

type FilesOf<Kind extends RecognitionFiles['kind']> = RecognitionFiles & { readonly kind: Kind }

/** Recognizes one utterance after the other. */
type ModelRecognizer = Pick<HostedRecognizer, 'begin' | 'accept' | 'end' | 'text'>

const floatsOf = (samples: Int16Array) => Float32Array.from(samples, (sample) => sample / 32_768)

/** The decoders of these models take the most probable token of each step. */
const common = { featConfig: { sampleRate, featureDim: 80 }, decodingMethod: 'greedy_search' } as const

/** Silence added after an utterance: a model writes a word a little after its end. */
const tailMs = 200

/** Recognizes an utterance while it is received. */
const openStreaming = async (
  { encoder, decoder, joiner }: FilesOf<'streaming-transducer'>,
  { tokens, chunkMs }: RecognitionModel,
  numThreads: number,
): Promise<ModelRecognizer> => {
  const { OnlineRecognizer } = await loadSherpaOnnx()
  const modelConfig = { transducer: { encoder, decoder, joiner }, tokens, numThreads, provider: 'cpu' } as const
  const recognizer = new OnlineRecognizer({ ...common, modelConfig, enableEndpoint: 0 })
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
    accept: (samples) => decode(floatsOf(samples)),
    end: () => decode(tail),
    text: () => recognizer.getResult(stream).text,
  }
}

/** No speech is shorter, and the library reads beyond the end of audio that is shorter than its window. */
const shortestSamples = sampleRate / 10

/** Recognizes an utterance at its end. */
const openWhole = async (
  { model }: FilesOf<'sense-voice'>,
  { tokens }: RecognitionModel,
  numThreads: number,
): Promise<ModelRecognizer> => {
  const { OfflineRecognizer } = await loadSherpaOnnx()
  const senseVoice = { model, language: '', useInverseTextNormalization: 1 } as const
  const recognizer = new OfflineRecognizer({
    ...common,
    modelConfig: { senseVoice, tokens, numThreads, provider: 'cpu' },
  })
  let received: Int16Array[] = []
  let text = ''
  return {
    begin: () => {
      received = []
      text = ''
    },
    accept: (samples) => {
      received.push(samples.slice())
    },
    end: () => {
      const samples = floatsOf(concatPcm(received))
      if (samples.length < shortestSamples) return
      const stream = recognizer.createStream()
      stream.acceptWaveform({ samples, sampleRate })
      recognizer.decode(stream)
      text = recognizer.getResult(stream).text
    },
    text: () => text,
  }
}

const openModel = (model: RecognitionModel, threads: number): Promise<ModelRecognizer> =>
  model.files.kind === 'sense-voice'
    ? openWhole(model.files, model, threads)
    : openStreaming(model.files, model, threads)

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
