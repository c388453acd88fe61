declare module '@echogarden/rnnoise-wasm' {
  export interface Rnnoise {
    /** Replaced when the memory grows. */
    readonly HEAPF32: Float32Array
    _malloc(bytes: number): number
    /** The built-in model is used for 0. */
    _rnnoise_create(model: number): number
    _rnnoise_destroy(state: number): void
    /** Returns the probability of a voice. Input and output, 480 samples at 48 kHz, may be the same. */
    _rnnoise_process_frame(state: number, output: number, input: number): number
  }
  const load: () => Promise<Rnnoise>
  export default load
}
