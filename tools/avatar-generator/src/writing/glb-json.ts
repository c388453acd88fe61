/** What is changed of a file's JSON here. */
export interface GlbJson {
  extensionsUsed?: string[]
  extensionsRequired?: string[]
  readonly accessors: { normalized?: boolean; count: number; sparse?: { count: number } }[]
  readonly meshes: {
    readonly name: string
    readonly extras?: { readonly targetNames?: readonly string[] }
    readonly primitives: {
      readonly targets?: Record<string, number>[]
      readonly attributes: Record<string, number>
      readonly indices: number
    }[]
  }[]
}

/** A GLB file is a header of twelve bytes and two chunks, JSON and binary; a chunk has its length and type before it. */
const jsonLengthAt = 12
const jsonAt = 20

export const jsonOf = (glb: Uint8Array): GlbJson => {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(jsonLengthAt, true)
  return JSON.parse(new TextDecoder().decode(glb.subarray(jsonAt, jsonAt + length)))
}

/** The same file with other JSON. */
export const withJson = (glb: Uint8Array, change: (json: GlbJson) => void): Uint8Array => {
  const json = jsonOf(glb)
  change(json)
  const binary = glb.subarray(jsonAt + new DataView(glb.buffer, glb.byteOffset).getUint32(jsonLengthAt, true))
  const text = new TextEncoder().encode(JSON.stringify(json))
  const padded = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(0x20)
  padded.set(text)
  const changed = new Uint8Array(jsonAt + padded.length + binary.length)
  changed.set(glb.subarray(0, jsonAt))
  changed.set(padded, jsonAt)
  changed.set(binary, jsonAt + padded.length)
  const header = new DataView(changed.buffer)
  header.setUint32(8, changed.length, true)
  header.setUint32(jsonLengthAt, padded.length, true)
  return changed
}
