import { type Color, color, tint } from '../geometry/color.js'
import { clamp, mix, radians, smoothstep } from '../geometry/interpolation.js'
import { centerOf, type Vec3 } from '../geometry/vector.js'

const flesh = color('#7a2630')
const depth = color('#2b0b12')

/** Rows behind the lips: how far back each is, and by how much it is wider. */
const rows = [
  { back: 0.045, wider: 0.03 },
  { back: 0.11, wider: 0.085 },
  { back: 0.24, wider: 0.1 },
  { back: 0.36, wider: 0.05 },
] as const

/** The inside of the mouth, from the inner edge of the lips to a point in the throat; its floor sinks with the jaw. */
export const mouthBag = (edge: readonly Vec3[], jawDegrees: number): Vec3[] => {
  const walls = rows.flatMap(({ back, wider }) =>
    edge.map(([x, y, z], ray): Vec3 => {
      const up = Math.sin((ray / edge.length) * 2 * Math.PI)
      const turn = radians(jawDegrees) * smoothstep(0, 1, 0.5 - 0.5 * up)
      const down = up * wider * (up < 0 ? mix(0.95, 0.62, clamp(jawDegrees / 12)) : 1)
      return [
        x * mix(1, 0.9, back / 0.36),
        y + down * Math.cos(turn) + back * Math.sin(turn),
        z + down * Math.sin(turn) - back * Math.cos(turn),
      ]
    }),
  )
  const [x, y, z] = centerOf(edge)
  return [...walls, ...edge.map((): Vec3 => [x, y, z - 0.42])]
}

export const mouthBagColors = (rays: number): Color[] =>
  Array.from({ length: rows.length + 1 }, (_, row) => tint(flesh, depth, clamp((row + 0.3) / 3))).flatMap((shade) =>
    Array.from({ length: rays }, () => shade),
  )
