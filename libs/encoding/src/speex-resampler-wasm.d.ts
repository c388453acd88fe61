/** The part of the package's Emscripten module that is used here; it brings no types of its own. */
declare module '@echogarden/speex-resampler-wasm/simd' {
  /** An address on the module's heap. */
  type Pointer = number

  export interface SpeexResamplerModule {
    /** Views of the heap; read them anew at every use, since a grown heap has new ones. */
    readonly HEAP16: Int16Array
    readonly HEAP32: Int32Array
    _malloc(bytes: number): Pointer
    /** A resampler's state, or 0 with an error code at `error`. Rates in Hz, quality from 0 to 10. */
    _speex_resampler_init(channels: number, fromHz: number, toHz: number, quality: number, error: Pointer): Pointer
    /** Leaves out the filter's delay from the start of the output. */
    _speex_resampler_skip_zeros(state: Pointer): number
    /** The filter's delay in samples of the input. */
    _speex_resampler_get_input_latency(state: Pointer): number
    /** Reads and writes the two 32-bit lengths; 0, or an error code. */
    _speex_resampler_process_int(
      state: Pointer,
      channel: number,
      input: Pointer,
      inputLength: Pointer,
      output: Pointer,
      outputLength: Pointer,
    ): number
    _speex_resampler_destroy(state: Pointer): void
  }

  export default function loadSpeex(): Promise<SpeexResamplerModule>
}
