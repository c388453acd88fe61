import { darken, tint } from '../geometry/color.js'
import { outermost } from '../geometry/distance-field.js'
import { mix, smoothstep } from '../geometry/interpolation.js'
import { facingAwayFrom, gridTriangles, type Surface } from '../geometry/surface.js'
import { add, directionOf, distance, scale, type Vec3 } from '../geometry/vector.js'
import type { Person } from '../person.js'
import type { Torso } from '../torso.js'

const rows = 22
const columns = 40
const axis = -0.16

/** From inside the head to below where clothes begin. */
export const createNeck = (torso: Torso, { skin, clothes }: Person): Surface => {
  const columnsDown = Array.from({ length: columns }, (_, column) => {
    const azimuth = (column / columns) * 360 - 180
    // Where clothes are it would lie so close under them that it came through here and there.
    const [x, , z] = torso.neckline(azimuth)
    const widest = Math.hypot(x, z - axis) - 0.015
    return Array.from({ length: rows }, (_, row): Vec3 => {
      const origin: Vec3 = [0, mix(-0.5, -1.72, row / (rows - 1)), axis]
      const ahead = directionOf(azimuth, 0)
      const radius = distance(origin, outermost(torso.neck, origin, ahead, 2))
      return add(origin, scale(ahead, Math.min(radius, widest)))
    })
  })
  const positions = Array.from({ length: rows }, (_, row) => columnsDown.map((column) => column[row]!)).flat()
  return {
    positions,
    triangles: facingAwayFrom(positions, gridTriangles(rows, columns, true), [0, -1.1, axis]),
    colors: positions.map(([, y]) => {
      // The head keeps the light from it.
      const bare = darken(skin.base, 0.34 * smoothstep(-1.5, -0.95, y))
      // What shows between the points of a collar is the shirt.
      return clothes.kind === 'shirt' ? tint(bare, darken(clothes.trim, 0.12), smoothstep(-1.34, -1.44, y)) : bare
    }),
    morphs: {},
  }
}
