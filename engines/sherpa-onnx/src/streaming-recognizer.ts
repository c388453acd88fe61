import type { RecognitionFiles, RecognitionModel } from '@parlance/models'
import type { OnlineStream } from 'sherpa-onnx-node'
import { decoding, type ModelRecognizer, sampleRate, samplesToFloats } from './model-recognizer.js'
import { loadSherpaOnnx } from './sherpa-library.js'

/** Silence added after an utterance: a model writes a word a little after its end. */
const tailMs = 200

/** Recognizes an utterance while it is received. */
export const openStreaming = async (
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
