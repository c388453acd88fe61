/// <reference path="./sherpa-onnx-node.d.ts" />
import { concatPcm } from '@parlance/audio'
import { recognizedWords } from '@parlance/engine/protocol'
import type { RecognitionFiles, RecognitionModel } from '@parlance/models'
import type { OfflineModel } from 'sherpa-onnx-node'
import { decoding, type ModelRecognizer, sampleRate, samplesToFloats } from './model-recognizer.js'
import { loadSherpaOnnx } from './sherpa-library.js'
import { speechWindows } from './speech-windows.js'

/** The files of a model that decodes whole utterances. */
type OfflineFiles = Exclude<RecognitionFiles, { kind: 'streaming-transducer' }>

/** Returns the library's configuration. `language` is empty where the model is to find it out; only Whisper reads it. */
const offlineModelConfig = (files: OfflineFiles, language: string): OfflineModel => {
  switch (files.kind) {
    case 'sense-voice':
      return { senseVoice: { model: files.model, language: '', useInverseTextNormalization: 1 } }
    case 'paraformer':
      return { paraformer: { model: files.model } }
    case 'whisper':
      return { whisper: { encoder: files.encoder, decoder: files.decoder, language, task: 'transcribe' } }
    case 'moonshine':
      return { moonshine: files.parts }
    case 'nemo-transducer': {
      const { encoder, decoder, joiner } = files
      return { transducer: { encoder, decoder, joiner }, modelType: 'nemo_transducer' }
    }
  }
}

/** Shorter audio contains no speech, and the library reads beyond the end of audio that is shorter than its window. */
const shortestSamples = sampleRate / 10

/**
 * The longest audio that is decoded at once. Whisper and Moonshine were trained on 30 s; the library has returned nothing for
 * more than 9 s of some models of Moonshine whose decoders are merged.
 */
const maxWindowMs = (files: OfflineFiles): number =>
  files.kind === 'moonshine' && 'mergedDecoder' in files.parts ? 9000 : 28_000

/** One of the model's languages, or empty. The library ends the process for any other language. */
const languageFor = (tag: string, { languages }: RecognitionModel): string => {
  const [primary = ''] = tag.toLowerCase().split('-')
  return languages.includes(primary) ? primary : ''
}

/** Recognizes an utterance at its end. */
export const openOffline = async (
  files: OfflineFiles,
  model: RecognitionModel,
  numThreads: number,
): Promise<ModelRecognizer> => {
  const { OfflineRecognizer } = await loadSherpaOnnx()
  const configFor = (language: string) => ({
    ...decoding,
    modelConfig: {
      ...offlineModelConfig(files, language),
      tokens: model.tokens,
      numThreads,
      provider: 'cpu' as const,
    },
  })
  const recognizer = new OfflineRecognizer(configFor(''))
  let currentLanguage = ''
  let received: Int16Array[] = []
  let text = ''

  const setLanguage = (tag: string) => {
    const language = files.kind === 'whisper' ? languageFor(tag, model) : ''
    if (language === currentLanguage) return
    recognizer.setConfig(configFor(language))
    currentLanguage = language
  }
  const decode = (samples: Int16Array): string => {
    if (samples.length < shortestSamples) return ''
    const stream = recognizer.createStream()
    stream.acceptWaveform({ samples: samplesToFloats(samples), sampleRate })
    recognizer.decode(stream)
    return recognizedWords(recognizer.getResult(stream).text)
  }

  return {
    begin: ({ language }) => {
      setLanguage(language)
      received = []
      text = ''
    },
    accept: (samples) => {
      received.push(samples.slice())
    },
    end: () => {
      text = speechWindows(concatPcm(received), maxWindowMs(files))
        .map(decode)
        .filter((part) => part !== '')
        .join(' ')
    },
    text: () => text,
  }
}
