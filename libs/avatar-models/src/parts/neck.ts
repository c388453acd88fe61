import { darken, tint } from '../geometry/colour.js'
import { outermost } from '../geometry/distance-field.js'
import { mix, smoothstep } from '../geometry/interpolation.js'
import { facingAwayFrom, gridTriangles, type Surface } from '../geometry/surface.js'
import { directionOf, type Vec3 } from '../geometry/vector.js'
import type { Person } from '../person.js'
import type { Torso } from '../torso.js'

const rows = 22
const columns = 40
const widest = 0.53

/** From inside the head to below where clothes begin. */
export const createNeck = (torso: Torso, { skin, clothes }: Person): Surface => {
  const positions = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column): Vec3 => {
      const origin: Vec3 = [0, mix(-0.5, -1.72, row / (rows - 1)), -0.16]
      // Farther out it would lie so close under the clothes that it came through.
      return outermost(torso.neck, origin, directionOf((column / columns) * 360, 0), widest)
    }),
  ).flat()
  return {
    positions,
    triangles: facingAwayFrom(positions, gridTriangles(rows, columns, true), [0, -1.1, -0.16]),
    colours: positions.map(([, y]) => {
      // The head keeps the light from it.
      const bare = darken(skin.base, 0.34 * smoothstep(-1.5, -0.95, y))
      // What shows between the points of a collar is the shirt.
      return clothes.kind === 'shirt' ? tint(bare, darken(clothes.trim, 0.12), smoothstep(-1.34, -1.44, y)) : bare
    }),
    morphs: {},
  }
}
