/** The part of it that is used here: its types come with a browser's only, which this is not. */
declare namespace WebAssembly {
  class Module {
    constructor(program: Uint8Array)
  }
  class Instance {
    constructor(module: Module)
    readonly exports: object
  }
}
