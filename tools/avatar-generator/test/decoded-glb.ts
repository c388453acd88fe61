import { jsonOf } from '../src/writing/glb-json.js'

interface SparseAccessor {
  readonly bufferView?: number
  readonly byteOffset?: number
  readonly componentType: number
  readonly count: number
  readonly type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4'
  readonly normalized?: boolean
  readonly sparse?: {
    readonly count: number
    readonly indices: { readonly bufferView: number; readonly byteOffset?: number; readonly componentType: number }
    readonly values: { readonly bufferView: number; readonly byteOffset?: number }
  }
}

interface Mesh {
  readonly name: string
  readonly indices: readonly number[]
  readonly positions: readonly number[]
  /** What is added to the positions, by morph target. */
  readonly moves: Readonly<Record<string, readonly number[]>>
}

const sizes = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 } as const
const components: Record<number, { bytes: number; greatest: number; read: (view: DataView, at: number) => number }> = {
  5120: { bytes: 1, greatest: 127, read: (view, at) => view.getInt8(at) },
  5121: { bytes: 1, greatest: 255, read: (view, at) => view.getUint8(at) },
  5122: { bytes: 2, greatest: 32767, read: (view, at) => view.getInt16(at, true) },
  5123: { bytes: 2, greatest: 65535, read: (view, at) => view.getUint16(at, true) },
  5125: { bytes: 4, greatest: 2 ** 32 - 1, read: (view, at) => view.getUint32(at, true) },
}

/** The meshes of a GLB file, read by the letter of the format and not with the library that wrote them. */
export const decodeGlb = (glb: Uint8Array): Mesh[] => {
  const json = jsonOf(glb)
  const { bufferViews } = json as unknown as {
    bufferViews: { byteOffset?: number; byteStride?: number }[]
  }
  const accessors = json.accessors as unknown as SparseAccessor[]
  const whole = new DataView(glb.buffer, glb.byteOffset, glb.byteLength)
  const binaryAt = 20 + whole.getUint32(12, true) + 8

  const read = (view: number, offset: number, componentType: number, size: number, count: number): number[] => {
    const { bytes, read } = components[componentType]!
    const { byteOffset = 0, byteStride = bytes * size } = bufferViews[view]!
    return Array.from({ length: count * size }, (_, at) =>
      read(whole, binaryAt + byteOffset + offset + Math.floor(at / size) * byteStride + (at % size) * bytes),
    )
  }
  const decode = (index: number): number[] => {
    const { bufferView, byteOffset = 0, componentType, count, type, normalized, sparse } = accessors[index]!
    const size = sizes[type]
    const values =
      bufferView === undefined
        ? new Array<number>(count * size).fill(0)
        : read(bufferView, byteOffset, componentType, size, count)
    if (sparse) {
      const { indices, values: given } = sparse
      const places = read(indices.bufferView, indices.byteOffset ?? 0, indices.componentType, 1, sparse.count)
      const changed = read(given.bufferView, given.byteOffset ?? 0, componentType, size, sparse.count)
      for (const [at, value] of changed.entries()) values[places[Math.floor(at / size)]! * size + (at % size)] = value
    }
    return normalized ? values.map((value) => value / components[componentType]!.greatest) : values
  }

  return json.meshes.map(({ name, extras, primitives: [primitive] }) => ({
    name,
    indices: decode(primitive!.indices),
    positions: decode(primitive!.attributes.POSITION!),
    moves: Object.fromEntries(
      (primitive!.targets ?? []).map((target, at) => [extras!.targetNames![at]!, decode(target.POSITION!)]),
    ),
  }))
}
