import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EngineUnavailableError } from '@parlance/engine/host'
import type { LibraryHandle } from 'koffi'

/** How to install flite and its voices. */
export const installHint = '(Debian: apt-get install libflite1)'

export type Koffi = Awaited<ReturnType<typeof loadKoffi>>

export interface FliteFiles {
  readonly koffi: Koffi
  /** The library itself. The language it needs is loaded too. */
  readonly flite: LibraryHandle
  /** By the name of the file, such as `2.2`; `unknown` when that cannot be read. */
  readonly version: string
  /** Loads the library of a voice. Throws when it is not found or does not load. */
  loadVoice(name: string): LibraryHandle
}

/** A library without a reference is unloaded, although flite still uses its symbols. */
const keptLibraries: unknown[] = []

const fileName = (library: string): string =>
  process.platform === 'win32'
    ? `${library}.dll`
    : process.platform === 'darwin'
      ? `${library}.dylib`
      : `${library}.so.1`

const voiceLibrary = (name: string): string => `libflite_cmu_us_${name}`

export const voiceFileName = (name: string): string => fileName(voiceLibrary(name))

const loadedVersion = (): string => {
  try {
    return /libflite\.so\.([\d.]+)$/m.exec(readFileSync('/proc/self/maps', 'utf8'))?.[1] ?? 'unknown'
  } catch {
    return 'unknown'
  }
}

const loadKoffi = async () => {
  try {
    return (await import('koffi')).default
  } catch (cause) {
    throw new EngineUnavailableError('koffi, which calls flite, does not run on this platform', { cause })
  }
}

/** Loads flite from a folder, or from where the system finds it. Rejects with an `EngineUnavailableError`. */
export const loadFliteFiles = async (folder: string | undefined): Promise<FliteFiles> => {
  const koffi = await loadKoffi()
  const load = (library: string) => {
    const file = fileName(library)
    // The libraries of the voices and the language use symbols of the others.
    const loaded = koffi.load(folder === undefined ? file : join(folder, file), { global: true })
    keptLibraries.push(loaded)
    return loaded
  }
  const loadPart = (library: string) => {
    try {
      return load(library)
    } catch (cause) {
      const reason = `flite is not installed: ${fileName(library)} is missing or cannot be loaded ${installHint}`
      throw new EngineUnavailableError(reason, { cause })
    }
  }
  const flite = loadPart('libflite')
  for (const part of ['libflite_usenglish', 'libflite_cmulex']) loadPart(part)
  return { koffi, flite, version: loadedVersion(), loadVoice: (name) => load(voiceLibrary(name)) }
}
