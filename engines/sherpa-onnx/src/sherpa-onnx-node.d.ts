/** The part of the package that is used here; it ships without types. */
declare module 'sherpa-onnx-node' {
  /** Paths, and lists of paths separated by commas; empty for none. */
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
    /** How many sentences are synthesized at once. The callback is called after each such part. */
    readonly maxNumSentences: number
  }

  export class OfflineTts {
    readonly sampleRate: number
    /** Invalid files end the process, after a line on standard error. */
    static createAsync(config: OfflineTtsConfig): Promise<OfflineTts>
    /**
     * Speaks in a separate thread, which waits for the result of the callback: false ends it. Rejects when the text has no
     * audio.
     */
    generateAsync(request: {
      readonly text: string
      readonly generationConfig: {
        readonly sid: number
        readonly speed: number
        /** The factor by which the model's pauses are scaled. Default: one fifth. */
        readonly silenceScale: number
      }
      readonly onProgress: (made: { readonly samples: Float32Array; readonly progress: number }) => boolean
    }): Promise<{ readonly samples: Float32Array; readonly sampleRate: number }>
  }

  export interface Waveform {
    /** Mono, from -1 to 1. */
    readonly samples: Float32Array
    readonly sampleRate: number
  }

  interface RecognizerConfig<Model> {
    readonly featConfig: { readonly sampleRate: number; readonly featureDim: number }
    readonly modelConfig: Model & { readonly tokens: string; readonly numThreads: number; readonly provider: 'cpu' }
    readonly decodingMethod: 'greedy_search'
  }

  /** The state of one utterance in a streaming recognizer. */
  export interface OnlineStream {
    acceptWaveform(waveform: Waveform): void
    inputFinished(): void
  }

  /** Invalid files end the process, after a line on standard error; so do errors of native code later. */
  export class OnlineRecognizer {
    constructor(
      config: RecognizerConfig<{
        readonly transducer: { readonly encoder: string; readonly decoder: string; readonly joiner: string }
      }> & { readonly enableEndpoint: 0 },
    )
    createStream(): OnlineStream
    /** Whether there is enough audio for the next step of `decode`. */
    isReady(stream: OnlineStream): boolean
    decode(stream: OnlineStream): void
    getResult(stream: OnlineStream): { readonly text: string }
  }

  /** One utterance, which takes all its audio in one piece. */
  export interface OfflineStream {
    acceptWaveform(waveform: Waveform): void
  }

  /** Fails as `OnlineRecognizer` does. */
  export class OfflineRecognizer {
    /** `modelConfig` has one more field, with the name of the kind of model and the paths of its files. */
    constructor(config: RecognizerConfig<object>)
    /** Takes over the language of Whisper; the files stay those of the constructor. */
    setConfig(config: RecognizerConfig<object>): void
    createStream(): OfflineStream
    decode(stream: OfflineStream): void
    getResult(stream: OfflineStream): { readonly text: string }
  }

  /** Merged with the declarations of another package. */
  export interface SherpaOnnx {
    readonly OfflineTts: typeof OfflineTts
    readonly OnlineRecognizer: typeof OnlineRecognizer
    readonly OfflineRecognizer: typeof OfflineRecognizer
  }
  const sherpaOnnx: SherpaOnnx
  export default sherpaOnnx
}
