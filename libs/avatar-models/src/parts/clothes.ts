import { type Colour, darken } from '../geometry/colour.js'
import { outermost } from '../geometry/distance-field.js'
import { bell, mix, smoothRows, smoothstep } from '../geometry/interpolation.js'
import { facingAwayFrom, gridTriangles, merged, type Surface, tube } from '../geometry/surface.js'
import { add, directionOf, normalize, subtract, type Vec3 } from '../geometry/vector.js'
import type { Person } from '../person.js'
import type { Torso } from '../torso.js'

const columns = 60

export const createClothes = (torso: Torso, person: Person): Surface => {
  const { kind } = person.clothes
  const collar = kind === 'crew' ? crewCollar : kind === 'turtleneck' ? turtleneck : shirtCollar
  return merged([createGarment(torso, person), collar(torso, person)])
}

const around = <T>(make: (azimuth: number) => T): T[] =>
  Array.from({ length: columns }, (_, column) => make((column / columns) * 360 - 180))

const createGarment = (torso: Torso, { clothes }: Person): Surface => {
  const rows = 24
  const positions = Array.from({ length: rows }, (_, row) =>
    around((azimuth) => {
      const elevation = mix(torso.necklineElevation(azimuth), -38, (row / (rows - 1)) ** 1.1)
      return outermost(torso.clothed, torso.middle, directionOf(azimuth, elevation), 2.6)
    }),
  ).flat()
  return {
    positions,
    triangles: facingAwayFrom(positions, gridTriangles(rows, columns, true), torso.middle),
    colours: positions.map(([, y]) => darken(clothes.colour, 0.3 * smoothstep(-1.8, -2.7, y))),
    morphs: {},
  }
}

const crewCollar = (torso: Torso, { clothes }: Person): Surface => {
  const line = around((azimuth) => torso.neckline(azimuth))
  const { positions, triangles } = tube(line, {
    sides: 12,
    closed: true,
    up: (index) => normalize(subtract(line[index]!, [0, -1.75, -0.16])),
    radius: () => [0.062, 0.036],
  })
  return { positions, triangles, colours: positions.map(() => clothes.trim), morphs: {} }
}

/** Rows of rings about the neck, each with its radius beside the neckline's, and its height above the shoulders. */
const rings = (
  profile: readonly (readonly number[])[],
  colours: (row: number) => Colour,
  shape: (at: Vec3, azimuth: number, row: number) => Vec3 = (at) => at,
): Surface => {
  const rows = smoothRows(profile, 4)
  const positions = rows.flatMap(([radius, height], row) =>
    around((azimuth): Vec3 => {
      const ahead = directionOf(azimuth, 0)
      return shape([ahead[0] * radius!, height!, ahead[2] * radius! - 0.16], azimuth, row / (rows.length - 1))
    }),
  )
  return {
    positions,
    triangles: facingAwayFrom(positions, gridTriangles(rows.length, columns, true), [0, -1.3, -0.16]),
    colours: rows.flatMap((_, row) => around(() => colours(row / (rows.length - 1)))),
    morphs: {},
  }
}

const turtleneck = (_torso: Torso, { clothes, face }: Person): Surface => {
  const r = 0.4 * face.neck
  const profile = [
    [r + 0.24, -1.52],
    [r + 0.1, -1.42],
    [r + 0.075, -1.3],
    [r + 0.08, -1.16],
    [r + 0.065, -1.1],
    [r + 0.03, -1.085],
    [r, -1.12],
    [r - 0.02, -1.2],
  ]
  return rings(profile, (row) => (row < 0.7 ? clothes.colour : clothes.trim))
}

const shirtCollar = (_torso: Torso, { clothes, face }: Person): Surface => {
  const r = 0.4 * face.neck
  const profile = [
    [r + 0.01, -1.42],
    [r + 0.03, -1.2],
    [r + 0.055, -1.165],
    [r + 0.085, -1.19],
    [r + 0.15, -1.34],
    [r + 0.2, -1.46],
  ]
  return rings(
    profile,
    (row) => (row < 0.4 ? darken(clothes.trim, 0.3) : clothes.trim),
    ([x, y, z], azimuth, row) => {
      // In front it stands open, and its points hang down.
      const front = bell(azimuth, 42)
      const opened = Math.sign(x) * 0.14 * bell(azimuth, 30) * smoothstep(0.1, 1, row)
      return add([x, y, z], [opened, -0.17 * front - 0.13 * front * smoothstep(0.45, 1, row), 0.06 * front * row])
    },
  )
}
