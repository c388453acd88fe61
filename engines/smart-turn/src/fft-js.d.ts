declare module 'fft.js' {
  /** Transforms of `size` complex numbers, a power of two. Arrays contain interleaved real and imaginary parts. */
  export default class FFT {
    constructor(size: number)
    transform(output: Float64Array, input: Float64Array): void
    inverseTransform(output: Float64Array, input: Float64Array): void
  }
}
