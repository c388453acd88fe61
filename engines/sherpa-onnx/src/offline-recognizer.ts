import { concatPcm } from '@parlance/audio'
import { recognizedWords } from '@parlance/engine/protocol'
import type { RecognitionFiles, RecognitionModel } from '@parlance/models'
import { decoding, type ModelRecognizer, sampleRate, samplesToFloats } from './model-recognizer.js'
import { withOnnxCopies } from './onnx-copies.js'
import { loadSherpaOnnx } from './sherpa-library.js'

/** The files of a model that decodes whole utterances. */
type OfflineFiles = Exclude<RecognitionFiles, { kind: 'streaming-transducer' }>

/**
 * Returns the library's configuration, under its name of the kind. `language` is one of the model's, or empty where the model is
 * to find it out; only Whisper reads it.
 */
const offlineModelConfig = (files: OfflineFiles, language: string): object => {
  switch (files.kind) {
    case 'sense-voice':
      // Numbers are written in figures, and with punctuation marks.
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
  const configFor = (language: string, opened = files) => ({
    ...decoding,
    modelConfig: {
      ...offlineModelConfig(opened, language),
      tokens: model.tokens,
      numThreads,
      provider: 'cpu' as const,
    },
  })
  const open = (opened: OfflineFiles) => new OfflineRecognizer(configFor('', opened))
  const recognizer =
    files.kind === 'moonshine'
      ? await withOnnxCopies(files.parts, (parts) => open({ kind: 'moonshine', parts }))
      : open(files)
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

/** A long utterance is divided where it is quietest, in the last third of a window. */
const searchedShare = 1 / 3
const quietSamples = sampleRate / 5

const energyOf = (samples: Int16Array): number => samples.reduce((sum, sample) => sum + sample * sample, 0)

/** The middle of the quietest 200 ms between two places. */
const quietestPlace = (samples: Int16Array, start: number, end: number): number => {
  let quietest = { at: end, energy: Number.POSITIVE_INFINITY }
  for (let at = start; at + quietSamples <= end; at += quietSamples / 2) {
    const energy = energyOf(samples.subarray(at, at + quietSamples))
    if (energy < quietest.energy) quietest = { at: at + quietSamples / 2, energy }
  }
  return quietest.at
}

/** Divides s16 samples at 16 kHz into parts of at most `maxMs`, between words as far as there are pauses. */
export const speechWindows = (samples: Int16Array, maxMs: number): Int16Array[] => {
  const maxSamples = (maxMs * sampleRate) / 1000
  const windows: Int16Array[] = []
  let rest = samples
  while (rest.length > maxSamples) {
    const place = quietestPlace(rest, Math.round(maxSamples * (1 - searchedShare)), maxSamples)
    windows.push(rest.subarray(0, place))
    rest = rest.subarray(place)
  }
  return [...windows, rest]
}
