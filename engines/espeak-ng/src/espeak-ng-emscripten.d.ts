/** The part of the package that is used here; it ships without types. */
declare module '@echogarden/espeak-ng-emscripten' {
  export interface EspeakEvent {
    readonly type: 'word' | 'phoneme' | 'sentence' | 'mark' | 'play' | 'end' | 'msg_terminated' | 'samplerate'
    /** From 1, in code points of the text as given. */
    readonly text_position: number
    /** In code points, and often wrong. */
    readonly word_length: number
    /** In ms from the first sample. */
    readonly audio_position: number
    /** The IPA of a phoneme, at most 8 bytes of it; empty for a pause. */
    readonly id: string | number | undefined
  }

  /** Values remain set until they are changed. */
  export interface EspeakWorker {
    get_samplerate(): number
    /** A language with a variant, such as `en-us+f2`. Also returns 0 when there is no such voice. */
    set_voice(name: string): number
    /** Words per minute, 80 to 450. */
    set_rate(wordsPerMinute: number): void
    /** 0 to 99, 50 is the variant's own. */
    set_pitch(pitch: number): void
    /** 0 to 99, 0 is monotone. */
    set_range(range: number): void
    /** 0 to 200. */
    set_volume(percent: number): void
    /** Reads the text as SSML synchronously, until a callback returns true. */
    synthesize(text: string, onBlock: (samples: Int16Array, events: readonly EspeakEvent[]) => boolean): void
  }

  type OpenFile = (path: string, ...rest: unknown[]) => unknown
  type CreateDataFile = (path: string, name: string | null, content: Uint8Array, ...flags: unknown[]) => void

  /** The hooks of Emscripten that a caller can read and replace before and during the start. */
  export interface EspeakModuleOptions {
    getPreloadedPackage?: (name: string, sizeBytes: number) => ArrayBuffer
    preInit?: (() => void)[]
    FS_createDataFile?: CreateDataFile
  }

  export interface EspeakModule {
    readonly eSpeakNGWorker: new () => EspeakWorker
    readonly FS: { open: OpenFile }
  }

  const loadModule: (options: EspeakModuleOptions) => Promise<EspeakModule>
  export default loadModule
}
