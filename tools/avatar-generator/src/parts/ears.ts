import { tint } from '../geometry/color.js'
import { outermost } from '../geometry/distance-field.js'
import { radians } from '../geometry/interpolation.js'
import { facingAwayFrom, gridTriangles, merged, mirroredSurface, type Surface } from '../geometry/surface.js'
import { add, turnAboutY, type Vec3 } from '../geometry/vector.js'
import type { Head } from '../head.js'
import type { Person } from '../person.js'

const sides = 28

/** From the hollow in an ear's middle over its rim to the head: how far out from the middle, and how high. */
const profile = [
  [0.02, -0.05],
  [0.2, -0.05],
  [0.36, -0.035],
  [0.48, 0.004],
  [0.58, 0.012],
  [0.68, 0.0],
  [0.78, 0.004],
  [0.87, 0.028],
  [0.96, 0.03],
  [1.0, 0.012],
  [0.97, -0.012],
  [0.86, -0.03],
  [0.68, -0.06],
  [0.5, -0.12],
] as const

export const createEars = (head: Head, { face, skin }: Person): Surface => {
  const root = outermost(head.field, [0, -0.04, -0.08], [1, 0, 0])
  const middle: Vec3 = add(root, [0.045, 0, 0])
  const positions = profile.flatMap(([away, height]) =>
    Array.from({ length: sides }, (_, side): Vec3 => {
      const round = (side / sides) * 2 * Math.PI
      const [back, up] = [-Math.cos(round), Math.sin(round)]
      // Wide above, narrow at the lobe, and flat in front, where it grows out of the cheek.
      const wide = 0.15 * (1 + 0.22 * up) * (back > 0 ? 1 : 0.72)
      const tall = up > 0 ? 0.2 : 0.215
      const at: Vec3 = [
        height * (up < -0.5 ? 0.75 : 1),
        away * tall * up * face.ears,
        -away * wide * back * face.ears - 0.03 * up,
      ]
      return turnAboutY(add(middle, at), middle, radians(-26))
    }),
  )
  const left: Surface = {
    positions,
    triangles: facingAwayFrom(positions, gridTriangles(profile.length, sides, true), add(middle, [-0.02, 0, 0])),
    colors: profile.flatMap(([, height]) =>
      Array.from({ length: sides }, () =>
        tint(skin.base, skin.blush, skin.blushStrength * (height < -0.03 ? 0.5 : 0.22)),
      ),
    ),
    morphs: {},
  }
  return merged([left, mirroredSurface(left)])
}
