import type { Color } from '../geometry/color.js'
import { outermost } from '../geometry/distance-field.js'
import { merged, mirroredSurface, type Surface, tube } from '../geometry/surface.js'
import type { Vec3 } from '../geometry/vector.js'
import type { Head } from '../head.js'
import type { GlassesLook } from '../person.js'

const thickness = 0.024

/** Two rims, a bridge over the nose and the arms back to the ears; no panes, which would only mirror. */
export const createGlasses = (head: Head, look: GlassesLook): Surface => {
  const front = head.eye[2] + head.eyeRadius + 0.13
  const rim = Array.from({ length: 48 }, (_, index): Vec3 => {
    const angle = (index / 48) * 2 * Math.PI
    const rounded = (part: number) => Math.sign(part) * Math.abs(part) ** (2 / look.squareness)
    const x = head.eye[0] + look.width * rounded(Math.cos(angle))
    // The frame follows the face round to the sides.
    return [x, head.eye[1] - 0.015 + look.height * rounded(Math.sin(angle)), front - 0.28 * Math.max(0, x - 0.1) ** 2]
  })
  const inner = head.eye[0] - look.width
  const bridge = Array.from({ length: 9 }, (_, index): Vec3 => {
    const x = inner * (index / 4 - 1)
    return [x, head.eye[1] + 0.03 + 0.05 * (1 - (x / inner) ** 2), front + 0.02 * (1 - (x / inner) ** 2)]
  })
  const hingeX = head.eye[0] + look.width
  const hinge: Vec3 = [hingeX, head.eye[1] + 0.05, front - 0.28 * (hingeX - 0.1) ** 2]
  const atEar = outermost(head.field, [0, head.eye[1] + 0.06, -0.1], [1, 0, 0])
  const arm = Array.from({ length: 12 }, (_, index): Vec3 => {
    const t = index / 11
    const out = Math.sin((t * Math.PI) / 2)
    return [hinge[0] + (atEar[0] + 0.03 - hinge[0]) * out, hinge[1] + 0.02 * t, hinge[2] + (atEar[2] - hinge[2]) * t]
  })
  const half = merged([
    bar(rim, true, look.color, () => [0, 0, 1], 1),
    bar(arm, false, look.color, () => [1, 0, 0.3], 1.1),
  ])
  return merged([half, mirroredSurface(half), bar(bridge, false, look.color, () => [0, 0, 1], 0.9)])
}

const bar = (line: Vec3[], closed: boolean, color: Color, up: () => Vec3, size: number): Surface => {
  const { positions, triangles } = tube(line, {
    sides: 8,
    closed,
    up,
    radius: () => [thickness * size, thickness * 0.8 * size],
  })
  return { positions, triangles, colors: positions.map(() => color), morphs: {} }
}
