/// <reference path="./sherpa-onnx-node.d.ts" />
import type { SpeechModel } from '@parlance/models'
import type { OfflineTtsConfig } from 'sherpa-onnx-node'

/** Returns the library's configuration of a model. */
export const modelConfig = ({ kind, files }: SpeechModel, threads: number): OfflineTtsConfig => {
  const { model, tokens, voices = '', vocoder = '', espeakData = '' } = files
  const words = { tokens, lexicon: files.lexicons.join(','), dataDir: espeakData }
  const byKind = {
    vits: { vits: { model, ...words } },
    matcha: { matcha: { acousticModel: model, vocoder, ...words } },
    kokoro: { kokoro: { model, voices, ...words } },
  }
  return {
    model: { ...byKind[kind], numThreads: threads, provider: 'cpu' },
    ruleFsts: files.rules.join(','),
    ruleFars: files.ruleArchives.join(','),
    maxNumSentences: 1,
  }
}
