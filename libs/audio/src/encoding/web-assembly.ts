/** The types of Node.js do not declare `WebAssembly`. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}

/** The memory of a WebAssembly instance. */
export interface WebAssemblyMemory {
  /** Replaced by another buffer when the memory grows. */
  readonly buffer: ArrayBuffer
  /** Adds pages of 64 KiB. */
  grow(pages: number): number
}

const pageBytes = 64 * 1024

/**
 * Grows the memory, unless it has at least `sizeBytes`. New memory is filled with zeros. Throws `RangeError` when it cannot
 * grow.
 */
export const growMemory = (memory: WebAssemblyMemory, sizeBytes: number): void => {
  const missingBytes = sizeBytes - memory.buffer.byteLength
  if (missingBytes > 0) memory.grow(Math.ceil(missingBytes / pageBytes))
}

/** Starts a module, and returns its exports. That they have the type `Exports` is not checked. */
export const openWebAssembly = <Exports>(bytes: Uint8Array, imports: object = {}): Exports =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes), imports).exports as Exports
