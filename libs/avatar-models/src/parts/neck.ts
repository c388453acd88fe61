import { darken } from '../geometry/colour.js'
import { outermost } from '../geometry/distance-field.js'
import { mix, smoothstep } from '../geometry/interpolation.js'
import { facingAwayFrom, gridTriangles, type Surface } from '../geometry/surface.js'
import { directionOf, type Vec3 } from '../geometry/vector.js'
import type { Person } from '../person.js'
import type { Torso } from '../torso.js'

const rows = 22
const columns = 40

/** From inside the head to below where clothes begin. */
export const createNeck = (torso: Torso, { skin }: Person): Surface => {
  const positions = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column): Vec3 => {
      const origin: Vec3 = [0, mix(-0.5, -1.78, row / (rows - 1)), -0.16]
      return outermost(torso.neck, origin, directionOf((column / columns) * 360, 0), 2)
    }),
  ).flat()
  return {
    positions,
    triangles: facingAwayFrom(positions, gridTriangles(rows, columns, true), [0, -1.1, -0.16]),
    // The head keeps the light from it.
    colours: positions.map(([, y]) => darken(skin.base, 0.34 * smoothstep(-1.5, -0.95, y))),
    morphs: {},
  }
}
