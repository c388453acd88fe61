import type { Color } from '../geometry/color.js'
import { outermost } from '../geometry/distance-field.js'
import { merged, mirroredSurface, type Surface, tube } from '../geometry/surface.js'
import type { Vec3 } from '../geometry/vector.js'
import type { Head } from '../head.js'
import type { Person } from '../person.js'

/** A hoop in each lobe. */
export const createEarrings = (head: Head, { face }: Person, color: Color): Surface => {
  const root = outermost(head.field, [0, -0.04, -0.08], [1, 0, 0])
  const radius = 0.1
  const middle: Vec3 = [root[0] + 0.05, root[1] - 0.2 * face.ears - radius, root[2] + 0.02]
  const hoop = Array.from({ length: 24 }, (_, index): Vec3 => {
    const angle = (index / 12) * Math.PI
    return [
      middle[0] + 0.35 * radius * Math.cos(angle),
      middle[1] + radius * Math.sin(angle),
      middle[2] + radius * Math.cos(angle),
    ]
  })
  const { positions, triangles } = tube(hoop, {
    sides: 6,
    closed: true,
    up: () => [1, 0, 0],
    radius: () => [0.016, 0.016],
  })
  const left: Surface = { positions, triangles, colors: positions.map(() => color), morphs: {} }
  return merged([left, mirroredSurface(left)])
}
