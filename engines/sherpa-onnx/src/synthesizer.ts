/// <reference path="./sherpa-onnx-node.d.ts" />
import { createSemaphore } from '@parlance/async'
import { EngineUnavailableError } from '@parlance/engine/host'
import type { SpeechModel } from '@parlance/models'
import type { OfflineTtsConfig } from 'sherpa-onnx-node'
import { nativeWork } from './native-work.js'
import { loadSherpaOnnx } from './sherpa-library.js'

/** Receives what a model speaks. */
interface SampleSink {
  /** Receives a sentence of mono samples from -1 to 1. Returns false to stop the speech. */
  take(samples: Float32Array): boolean
  /** Returns whether the speech is still wanted. */
  isWanted(): boolean
}

/** The maximum number of sentences at the same time: one that is wanted, and an unwanted one that cannot be stopped. */
const maxSentences = 2

/** The library reads UTF-8 up to the first NUL. */
const speakable = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}/gu, ' ')

/** Returns the library's configuration of a model. */
const modelConfig = ({ kind, files }: SpeechModel, threads: number): OfflineTtsConfig => {
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

/**
 * Loads a model. Wrong files may end the process. Rejects with `EngineUnavailableError` where the library does not run on
 * this machine or cannot load the model.
 */
export const openSynthesizer = async (model: SpeechModel, threads: number) => {
  const sherpaOnnx = await loadSherpaOnnx()
  const tts = await sherpaOnnx.OfflineTts.createAsync(modelConfig(model, threads)).catch((cause: Error) => {
    throw new EngineUnavailableError(`the model ${model.name} cannot be loaded: ${cause.message}`, { cause })
  })

  const sentences = createSemaphore(maxSentences)

  return {
    sampleRateHz: tts.sampleRate,

    /**
     * Speaks sentence by sentence in another thread. A text without anything to speak gives no samples. Stops only between two
     * sentences, since the library cannot be stopped within one. While it ends a sentence that is no longer wanted, another
     * can be spoken, and no third. Rejects with `NativeWorkError`.
     */
    speak: async (
      { text, speakerId, speed }: { text: string; speakerId: number; speed: number },
      sink: SampleSink,
    ): Promise<void> => {
      const release = await sentences.acquire()
      let samplesMade = 0
      const onProgress = ({ samples }: { samples: Float32Array }) => {
        samplesMade += samples.length
        return samples.length === 0 || sink.take(samples)
      }
      try {
        if (!sink.isWanted()) return
        // A scale of 1 keeps the pauses of the model.
        const generationConfig = { sid: speakerId, speed, silenceScale: 1 }
        await nativeWork(() => tts.generateAsync({ text: speakable(text), generationConfig, onProgress }))
      } catch (error) {
        if (samplesMade > 0 || !/no audio/.test((error as Error).message)) throw error
      } finally {
        release()
      }
    },
  }
}

export type Synthesizer = Awaited<ReturnType<typeof openSynthesizer>>
