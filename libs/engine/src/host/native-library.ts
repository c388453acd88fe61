import { EngineUnavailableError } from '../protocol/index.js'

/** Loads koffi, which calls the functions of native libraries. Rejects with an `EngineUnavailableError` that names `library`. */
export const loadKoffi = async (library: string) => {
  try {
    return (await import('koffi')).default
  } catch (cause) {
    throw new EngineUnavailableError(`koffi, which calls ${library}, does not run on this platform`, { cause })
  }
}

export type Koffi = Awaited<ReturnType<typeof loadKoffi>>
export type NativeLibrary = ReturnType<Koffi['load']>

/** Declares a function of a library. Throws an `EngineUnavailableError` when the library has none of that name. */
export const declareFunction = (library: NativeLibrary, name: string, declaration: string) => {
  try {
    return library.func(declaration)
  } catch (cause) {
    throw new EngineUnavailableError(`the file named ${name} is a different library`, { cause })
  }
}
