/// <reference path="./sherpa-onnx-node.d.ts" />
import type { RecognitionFiles } from '@parlance/models'
import type { OfflineModel } from 'sherpa-onnx-node'

/** The files of a model that decodes whole utterances. */
export type OfflineFiles = Exclude<RecognitionFiles, { kind: 'streaming-transducer' }>

/** Returns the library's configuration. `language` is empty where the model is to find it out; only Whisper reads it. */
export const offlineModelConfig = (files: OfflineFiles, language: string): OfflineModel => {
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
