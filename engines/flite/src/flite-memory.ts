import type { Koffi } from './flite-files.js'

/** An address in flite's memory; null where C has NULL. */
export type Pointer = bigint | null

/** Reads and writes flite's memory without its functions. */
export const fliteMemory = (koffi: Koffi) => {
  const voiceStart = koffi.struct({ name: 'void *', features: 'void *' })
  return {
    /** flite stores the address of a feature's name, so the name is never freed. */
    keptName(name: string): Pointer {
      const kept = koffi.alloc('char', name.length + 1) as Pointer
      koffi.encode(kept, 'char', name, name.length + 1)
      return kept
    },
    featuresOf: (voice: Pointer): Pointer => (koffi.decode(voice, voiceStart) as { features: Pointer }).features,
  }
}

export type FliteMemory = ReturnType<typeof fliteMemory>
