import { EngineUnavailableError, type HostedRecognizer } from '@parlance/engine/host'
import type { RecognitionFiles, RecognitionModel } from '@parlance/models'
import type { OnlineStream } from 'sherpa-onnx-node'
import { loadSherpaOnnx, sherpaVersion } from './sherpa-library.js'

const sampleRate = 16_000

type FilesOf<Kind extends RecognitionFiles['kind']> = RecognitionFiles & { readonly kind: Kind }

/** How an utterance becomes text, one after the other. */
type Ear = Pick<HostedRecognizer, 'begin' | 'hear' | 'end' | 'text'>

const floatsOf = (samples: Int16Array) => Float32Array.from(samples, (sample) => sample / 32_768)

/** Every decoder of these models writes the likeliest token and goes on. */
const common = { featConfig: { sampleRate, featureDim: 80 }, decodingMethod: 'greedy_search' } as const

/** After an utterance: a model writes down a word a little after it was said. */
const tailMs = 200

/** Hears an utterance piece by piece. */
const openStreamingEar = async (
  { encoder, decoder, joiner }: FilesOf<'streaming-transducer'>,
  { tokens, chunkMs }: RecognitionModel,
  numThreads: number,
): Promise<Ear> => {
  const { OnlineRecognizer } = await loadSherpaOnnx()
  const modelConfig = { transducer: { encoder, decoder, joiner }, tokens, numThreads, provider: 'cpu' } as const
  const recognizer = new OnlineRecognizer({ ...common, modelConfig, enableEndpoint: 0 })
  // What is left of a chunk is not heard: with so much silence nothing that was said is left.
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
    hear: (samples) => decode(floatsOf(samples)),
    end: () => decode(tail),
    text: () => recognizer.getResult(stream).text,
  }
}

/** Nobody says anything in less, and the library reads beyond the end of what is shorter than its window. */
const shortestSamples = sampleRate / 10

/** Hears an utterance when it is over. */
const openWholeEar = async (
  { model }: FilesOf<'sense-voice'>,
  { tokens }: RecognitionModel,
  numThreads: number,
): Promise<Ear> => {
  const { OfflineRecognizer } = await loadSherpaOnnx()
  const senseVoice = { model, language: '', useInverseTextNormalization: 1 } as const
  const recognizer = new OfflineRecognizer({
    ...common,
    modelConfig: { senseVoice, tokens, numThreads, provider: 'cpu' },
  })
  let heard: Float32Array[] = []
  let text = ''
  return {
    begin: () => {
      heard = []
      text = ''
    },
    hear: (samples) => {
      heard.push(floatsOf(samples))
    },
    end: () => {
      const samples = new Float32Array(heard.reduce((sum, part) => sum + part.length, 0))
      let at = 0
      for (const part of heard) {
        samples.set(part, at)
        at += part.length
      }
      if (samples.length < shortestSamples) return
      const stream = recognizer.createStream()
      stream.acceptWaveform({ samples, sampleRate })
      recognizer.decode(stream)
      text = recognizer.getResult(stream).text
    },
    text: () => text,
  }
}

const openEar = (model: RecognitionModel, threads: number): Promise<Ear> =>
  model.files.kind === 'sense-voice'
    ? openWholeEar(model.files, model, threads)
    : openStreamingEar(model.files, model, threads)

/**
 * Loads a model; wrong files may end the process, and so may what is wrong with them later. Rejects with
 * `EngineUnavailableError` where the library does not run on this machine, or says that it cannot load the model.
 */
export const openHearer = async (model: RecognitionModel, threads: number): Promise<HostedRecognizer> => {
  const ear = await openEar(model, threads).catch((cause: Error) => {
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
    ...ear,
    text: () => {
      const text = ear.text().trim()
      return model.writesCapitals ? text.toLowerCase() : text
    },
    acoustics: () => [],
  }
}

/** Shows whether the model hears at all, and makes the first utterance as fast as the next. */
export const hearForTheFirstTime = (hearer: HostedRecognizer, samples: Int16Array): void => {
  hearer.begin({ language: '', acoustics: null })
  hearer.hear(samples)
  hearer.end()
}
