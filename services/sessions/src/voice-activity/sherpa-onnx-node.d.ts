/** The part of the package that is used here; it ships without types. */
declare module 'sherpa-onnx-node' {
  export interface VadConfig {
    readonly sileroVad: {
      readonly model: string
      /** Of 0 to 1: how sure the model is that there is a voice. */
      readonly threshold: number
      /** In seconds, as the next two: a voice that was not there so long is none, and a pause that is shorter neither. */
      readonly minSpeechDuration: number
      readonly minSilenceDuration: number
      readonly maxSpeechDuration: number
      /** In samples. */
      readonly windowSize: number
    }
    readonly sampleRate: number
    readonly numThreads: number
  }

  export class Vad {
    /** Loads the model, which takes tens of ms. */
    constructor(config: VadConfig, bufferSizeInSeconds: number)
    acceptWaveform(samples: Float32Array): void
    isDetected(): boolean
    /** Ends the voice that goes on, so that nothing of it is kept but as a segment. */
    flush(): void
    /** Drops the segments. */
    clear(): void
    /** Forgets everything that was heard. */
    reset(): void
  }

  /** What another package declares of it adds to this. */
  export interface SherpaOnnx {
    readonly Vad: typeof Vad
  }
  const sherpaOnnx: SherpaOnnx
  export default sherpaOnnx
}
