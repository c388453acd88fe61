/** The part of the package that is used here; it ships without types. */
declare module 'sherpa-onnx-node' {
  /** Paths, and lists of paths with commas between them; empty where there is none. */
  export interface OfflineTtsConfig {
    readonly model: {
      readonly vits?: {
        readonly model: string
        readonly tokens: string
        readonly lexicon: string
        readonly dataDir: string
      }
      readonly matcha?: {
        readonly acousticModel: string
        readonly vocoder: string
        readonly tokens: string
        readonly lexicon: string
        readonly dataDir: string
      }
      readonly kokoro?: {
        readonly model: string
        readonly voices: string
        readonly tokens: string
        readonly lexicon: string
        readonly dataDir: string
      }
      readonly numThreads: number
      readonly provider: 'cpu'
    }
    readonly ruleFsts: string
    readonly ruleFars: string
    /** How many sentences are made at once; after each such part the callback is called. */
    readonly maxNumSentences: number
  }

  export class OfflineTts {
    readonly numSpeakers: number
    readonly sampleRate: number
    /** What is wrong with the files ends the process, after a line on standard error. */
    static createAsync(config: OfflineTtsConfig): Promise<OfflineTts>
    /**
     * Speaks in a thread of its own, which waits for the callback's answer: false ends it. Rejects when the text came to
     * nothing.
     */
    generateAsync(request: {
      readonly text: string
      readonly generationConfig: {
        readonly sid: number
        readonly speed: number
        /** How long pauses become compared with those of the model; a fifth if not given. */
        readonly silenceScale: number
      }
      readonly onProgress: (made: { readonly samples: Float32Array; readonly progress: number }) => boolean
    }): Promise<{ readonly samples: Float32Array; readonly sampleRate: number }>
  }

  const sherpaOnnx: { readonly OfflineTts: typeof OfflineTts }
  export default sherpaOnnx
}
