import { type Color, darken } from '../geometry/color.js'
import { outermost } from '../geometry/distance-field.js'
import { bell, clamp, mix, smoothRows, smoothstep } from '../geometry/interpolation.js'
import { facingAwayFrom, gridTriangles, merged, type Surface, tube } from '../geometry/surface.js'
import { directionOf, normalize, subtract, type Vec3 } from '../geometry/vector.js'
import type { Person } from '../person.js'
import type { Torso } from '../torso.js'

const columns = 60
const hem = -2.95

export const createClothes = (torso: Torso, person: Person): Surface => {
  const { kind } = person.clothes
  const collar = kind === 'crew' ? crewCollar : kind === 'turtleneck' ? turtleneck : shirtCollar
  return merged([createGarment(torso, person), collar(torso, person)])
}

const around = <T>(make: (azimuth: number) => T): T[] =>
  Array.from({ length: columns }, (_, column) => make((column / columns) * 360 - 180))

const createGarment = (torso: Torso, { clothes }: Person): Surface => {
  const rows = 32
  const columnsDown = around((azimuth) => {
    const [from, to] = [torso.necklineElevation(azimuth), hemElevation(torso, azimuth)]
    return Array.from({ length: rows }, (_, row) => {
      const elevation = mix(from, to, (row / (rows - 1)) ** 1.1)
      return outermost(torso.clothed, torso.middle, directionOf(azimuth, elevation), 2.6)
    })
  })
  const positions = Array.from({ length: rows }, (_, row) => columnsDown.map((column) => column[row]!)).flat()
  return {
    positions,
    triangles: facingAwayFrom(positions, gridTriangles(rows, columns, true), torso.middle),
    colors: positions.map(([, y]) => darken(clothes.color, 0.3 * smoothstep(-1.8, -2.7, y))),
    morphs: {},
  }
}

/** Below, all ends at one height, as a bust does on its stand. */
const hemElevation = ({ clothed, middle }: Torso, azimuth: number): number => {
  const [x, , z] = outermost(clothed, [middle[0], hem, middle[2]], directionOf(azimuth, 0), 2)
  return (Math.atan2(hem - middle[1], Math.hypot(x - middle[0], z - middle[2])) * 180) / Math.PI
}

const crewCollar = (torso: Torso, { clothes }: Person): Surface => {
  const line = around((azimuth) => torso.neckline(azimuth))
  const { positions, triangles } = tube(line, {
    sides: 12,
    closed: true,
    up: (index) => normalize(subtract(line[index]!, [0, -1.75, -0.16])),
    radius: () => [0.062, 0.036],
  })
  return { positions, triangles, colors: positions.map(() => clothes.trim), morphs: {} }
}

/** A band about the neck, as rows of points that smooth rows run through; `open` leaves it apart in front. */
const band = (
  profileAt: (azimuth: number) => readonly Vec3[],
  colorOf: (row: number) => Color,
  { open }: { open: boolean },
): Surface => {
  const gap = open ? 5 : 0
  const azimuths = Array.from({ length: columns }, (_, column) =>
    mix(gap, 360 - gap, column / (open ? columns - 1 : columns)),
  )
  const profiles = azimuths.map((azimuth) => smoothRows(profileAt(azimuth), 3))
  const rows = profiles[0]!.length
  const positions = Array.from({ length: rows }, (_, row) =>
    profiles.map((profile): Vec3 => [profile[row]![0]!, profile[row]![1]!, profile[row]![2]!]),
  ).flat()
  return {
    positions,
    triangles: facingAwayFrom(positions, gridTriangles(rows, columns, !open), [0, -1.3, -0.16]),
    colors: positions.map((_, vertex) => colorOf(Math.floor(vertex / columns) / (rows - 1))),
    morphs: {},
  }
}

const about = (azimuth: number, radius: number, height: number): Vec3 => {
  const ahead = directionOf(azimuth, 0)
  return [ahead[0] * radius, height, ahead[2] * radius - 0.16]
}

/** The collar is folded down over the knit that goes up the neck. */
const turtleneck = (torso: Torso, { clothes }: Person): Surface => {
  const r = torso.neckRadius
  const profile = [
    [r + 0.03, -1.4],
    [r + 0.085, -1.39],
    [r + 0.1, -1.33],
    [r + 0.085, -1.2],
    [r + 0.075, -1.13],
    [r + 0.035, -1.1],
    [r - 0.01, -1.13],
    [r - 0.02, -1.2],
  ] as const
  return band(
    (azimuth) => profile.map(([radius, height]) => about(azimuth, radius, height)),
    (row) => darken(clothes.trim, 0.35 * (smoothstep(0.15, 0, row) + smoothstep(0.75, 1, row))),
    { open: false },
  )
}

/** A stand round the neck that folds over and falls to two points. */
const shirtCollar = (torso: Torso, { clothes }: Person): Surface => {
  const r = torso.neckRadius
  return band(
    (azimuth) => {
      const fromFront = Math.min(azimuth, 360 - azimuth)
      const top = -1.14 - 0.2 * bell(fromFront, 50)
      const fall = 0.24 + 0.2 * bell(fromFront - 16, 20)
      // What falls lies on the shoulders and the chest.
      const lying = (radius: number, height: number): Vec3 => {
        const onCloth = outermost(torso.clothed, [0, height, -0.16], directionOf(azimuth, 0), 2)
        const cloth = Math.hypot(onCloth[0], onCloth[2] + 0.16)
        return about(azimuth, clamp(cloth + 0.03, radius, radius + 0.14), height)
      }
      return [
        about(azimuth, r + 0.012, top - 0.2),
        about(azimuth, r + 0.03, top - 0.03),
        about(azimuth, r + 0.055, top),
        about(azimuth, r + 0.085, top - 0.035),
        lying(r + 0.13, top - 0.5 * fall),
        lying(r + 0.17, top - fall),
      ]
    },
    (row) => darken(clothes.trim, 0.35 * smoothstep(0.4, 0.1, row)),
    { open: true },
  )
}
