import type { Color } from './color.js'
import { add, cross, dot, normalize, scale, subtract, type Vec3 } from './vector.js'

/** Vertices, triangles of three indices each, and where each vertex is when a morph is fully on. */
export interface Surface {
  readonly positions: readonly Vec3[]
  readonly triangles: readonly number[]
  readonly colors: readonly Color[]
  readonly morphs: Readonly<Record<string, readonly Vec3[]>>
}

/** The triangles of rows of vertices, `columns` in each; `closed` joins the last column to the first. */
export const gridTriangles = (rows: number, columns: number, closed: boolean): number[] => {
  const triangles: number[] = []
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column < (closed ? columns : columns - 1); column++) {
      const a = row * columns + column
      const b = row * columns + ((column + 1) % columns)
      triangles.push(a, b, a + columns, b, b + columns, a + columns)
    }
  }
  return triangles
}

/** Triangles from a ring of vertices to one in its middle. */
export const fanTriangles = (ring: readonly number[], middle: number): number[] =>
  ring.flatMap((vertex, index) => [vertex, ring[(index + 1) % ring.length]!, middle])

/** The same triangles, turned so that most of them face away from `inside`. */
export const facingAwayFrom = (positions: readonly Vec3[], triangles: readonly number[], inside: Vec3): number[] => {
  let outward = 0
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = corners(positions, triangles, at)
    outward += dot(cross(subtract(b, a), subtract(c, a)), subtract(a, inside))
  }
  return outward < 0 ? flipped(triangles) : [...triangles]
}

export const flipped = (triangles: readonly number[]): number[] =>
  triangles.map((_, index) => triangles[index % 3 === 0 ? index : index % 3 === 1 ? index + 1 : index - 1]!)

/** At each vertex the mean of its triangles' normals, great triangles counting for more. */
export const normalsOf = (positions: readonly Vec3[], triangles: readonly number[]): Vec3[] => {
  const sums: Vec3[] = positions.map(() => [0, 0, 0])
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = corners(positions, triangles, at)
    const normal = cross(subtract(b, a), subtract(c, a))
    for (let corner = 0; corner < 3; corner++) {
      const vertex = triangles[at + corner]!
      sums[vertex] = add(sums[vertex]!, normal)
    }
  }
  return sums.map(normalize)
}

const corners = (positions: readonly Vec3[], triangles: readonly number[], at: number): [Vec3, Vec3, Vec3] => [
  positions[triangles[at]!]!,
  positions[triangles[at + 1]!]!,
  positions[triangles[at + 2]!]!,
]

/** Several surfaces as one. A vertex of a surface without a morph stays where it is. */
export const merged = (surfaces: readonly Surface[]): Surface => {
  const positions: Vec3[] = []
  const triangles: number[] = []
  const colors: Color[] = []
  const names = [...new Set(surfaces.flatMap(({ morphs }) => Object.keys(morphs)))]
  const morphs: Record<string, Vec3[]> = Object.fromEntries(names.map((name) => [name, []]))
  for (const surface of surfaces) {
    triangles.push(...surface.triangles.map((vertex) => vertex + positions.length))
    positions.push(...surface.positions)
    colors.push(...surface.colors)
    for (const name of names) morphs[name]!.push(...(surface.morphs[name] ?? surface.positions))
  }
  return { positions, triangles, colors, morphs }
}

/** The same on the other side. */
export const mirroredSurface = (surface: Surface, renameMorph: (name: string) => string = (name) => name): Surface => {
  const mirror = (points: readonly Vec3[]) => points.map(([x, y, z]): Vec3 => [-x, y, z])
  return {
    positions: mirror(surface.positions),
    triangles: flipped(surface.triangles),
    colors: surface.colors,
    morphs: Object.fromEntries(
      Object.entries(surface.morphs).map(([name, points]) => [renameMorph(name), mirror(points)]),
    ),
  }
}

/** A tube along a line of points; `radius` is its half width and half thickness, `up` roughly the way its thickness goes. */
export const tube = (
  line: readonly Vec3[],
  {
    sides,
    closed,
    up,
    radius,
  }: { sides: number; closed: boolean; up: (at: number) => Vec3; radius: (at: number) => readonly [number, number] },
): { positions: Vec3[]; triangles: number[] } => {
  const count = line.length
  const positions = line.flatMap((point, index) => {
    const before = line[closed ? (index + count - 1) % count : Math.max(0, index - 1)]!
    const after = line[closed ? (index + 1) % count : Math.min(count - 1, index + 1)]!
    const along = normalize(subtract(after, before))
    const across = normalize(cross(up(index), along))
    const thick = cross(along, across)
    const [width, thickness] = radius(index)
    return Array.from({ length: sides }, (_, side) => {
      const angle = (side / sides) * 2 * Math.PI
      return add(point, add(scale(across, width * Math.cos(angle)), scale(thick, thickness * Math.sin(angle))))
    })
  })
  const rows = closed ? count + 1 : count
  const triangles = gridTriangles(rows, sides, true).map((vertex) => vertex % (count * sides))
  if (!closed) {
    for (const end of [0, count - 1]) {
      const ring = Array.from({ length: sides }, (_, side) => end * sides + side)
      const cap = fanTriangles(ring, positions.length)
      triangles.push(...(end === 0 ? flipped(cap) : cap))
      positions.push(line[end]!)
    }
  }
  return { positions, triangles }
}
