import { darken, tint } from '../geometry/color.js'
import { type DistanceField, ellipsoid, grown, join, mirrored, outermost } from '../geometry/distance-field.js'
import { bell, clamp, radians, smoothstep, throughPoints } from '../geometry/interpolation.js'
import { facingAwayFrom, gridTriangles, type Surface } from '../geometry/surface.js'
import { add, blend, directionOf, distance, dot, normalize, scale, subtract, type Vec3 } from '../geometry/vector.js'
import type { Head } from '../head.js'
import type { HairLook, Person } from '../person.js'
import { curlHeight } from './curls.js'

/**
 * Hair is a body of its own round the head, of which only what is above the hairline is made: columns of vertices go
 * from there to a point at the back. So the hairline is an edge of the mesh, smooth however it runs, and there is no hair
 * behind the face that an open mouth would show.
 */
const middle: Vec3 = [0, 0.1, -0.1]
const backOfHead = normalize([0, 0.45, -1])

export const createHair = (head: Head, { hair }: Person): Surface => {
  const [columns, rows] = hair.curls > 0 ? [136, 50] : [132, 38]
  const body = hairBody(head, hair)
  const edge = hairline(hair, columns)
  const vertices = Array.from({ length: rows + 1 }, (_, row) =>
    edge.map((start) => {
      const share = (row / rows) ** 1.4
      const direction = between(start, backOfHead, share)
      const degreesIn = (share * angleBetween(start, backOfHead) * 180) / Math.PI
      const grownOut = smoothstep(0, 8, degreesIn)
      const skin = outermost(head.field, middle, direction)
      const full = outermost(body, middle, direction)
      const strand = strandHeight(hair, direction)
      const base = blend(add(skin, scale(direction, -0.025)), full, grownOut)
      const curl = hair.curls > 0 ? curlHeight(base) : 1
      // Near its edge hair faces the edge rather than outwards.
      const towardsEdge = normalize(subtract(start, scale(direction, dot(start, direction))))
      const outwards = normalize(blend(towardsEdge, direction, smoothstep(0, 14, degreesIn)))
      const relief =
        hair.strands.depth * strand * smoothstep(1, 14, degreesIn) +
        hair.curls * (curl - 0.5) * smoothstep(0, 4, degreesIn)
      const at = add(base, scale(outwards, relief))
      const lit = hair.curls > 0 ? curl * 0.8 : 0.3 + 0.4 * strand + 0.45 * bell(direction[1] - 0.8, 0.16)
      const shaded =
        0.35 * smoothstep(-0.2, -1.1, at[1]) + 0.45 * (1 - smoothstep(0, 10, degreesIn)) * (hair.curls > 0 ? 0.5 : 1)
      return { at, color: darken(tint(hair.color, hair.highlight, clamp(lit)), clamp(shaded)) }
    }),
  ).flat()
  const positions = vertices.map(({ at }) => at)
  return {
    positions,
    triangles: facingAwayFrom(positions, gridTriangles(rows + 1, columns, true), middle),
    colors: vertices.map(({ color }) => color),
    morphs: {},
  }
}

const hairBody = (head: Head, hair: HairLook): DistanceField =>
  hair.volumes.reduce(
    (body, { centre, radii, softness, bothSides }) => {
      const volume = ellipsoid(centre, radii)
      return join(body, bothSides ? mirrored(volume) : volume, softness)
    },
    grown(head.field, hair.thickness),
  )

/** The hairline as directions from `middle`, evenly spaced. */
const hairline = ({ line, sweep }: HairLook, columns: number): Vec3[] => {
  const swept = (azimuth: number, elevation: number) =>
    directionOf(azimuth, elevation + sweep * (bell(azimuth - 34, 24) - 0.8 * bell(azimuth + 26, 30)))
  const left = line.map(([azimuth, elevation]) => swept(azimuth, elevation))
  const right = line
    .slice(1, -1)
    .reverse()
    .map(([azimuth, elevation]) => swept(-azimuth, elevation))
  return evenlySpaced(smoothLoop([...left, ...right], 24), columns)
}

const smoothLoop = (points: readonly Vec3[], steps: number): Vec3[] => {
  const at = (index: number) => points[(index + points.length) % points.length]!
  return points.flatMap((point, index) =>
    Array.from({ length: steps }, (_, step) => {
      const axis = (k: 0 | 1 | 2) =>
        throughPoints(at(index - 1)[k], point[k], at(index + 1)[k], at(index + 2)[k], step / steps)
      return normalize([axis(0), axis(1), axis(2)])
    }),
  )
}

const evenlySpaced = (loop: readonly Vec3[], count: number): Vec3[] => {
  const ends = loop.map((_, index) => loop[(index + 1) % loop.length]!)
  const lengths = loop.map((point, index) => distance(point, ends[index]!))
  const spacing = lengths.reduce((sum, length) => sum + length, 0) / count
  const points: Vec3[] = []
  let passed = 0
  for (const [index, point] of loop.entries()) {
    while (points.length < count && points.length * spacing < passed + lengths[index]!) {
      points.push(normalize(blend(point, ends[index]!, (points.length * spacing - passed) / lengths[index]!)))
    }
    passed += lengths[index]!
  }
  return points
}

const angleBetween = (a: Vec3, b: Vec3): number => Math.acos(clamp(dot(a, b), -1, 1))

/** Along the great circle. */
const between = (a: Vec3, b: Vec3, share: number): Vec3 => {
  const angle = angleBetween(a, b)
  if (angle < 1e-4) return b
  return add(
    scale(a, Math.sin((1 - share) * angle) / Math.sin(angle)),
    scale(b, Math.sin(share * angle) / Math.sin(angle)),
  )
}

/** From -1 between two strands to 1 on one: waves of several lengths, so that no two strands are alike. */
const strandHeight = ({ strands }: HairLook, direction: Vec3): number => {
  const across =
    strands.count * dot(direction, normalize(strands.across)) + 0.6 * Math.sin(4 * direction[1] + 3 * direction[0])
  const wave = 0.55 * Math.sin(across) + 0.3 * Math.sin(across * 2.3 + 1) + 0.15 * Math.sin(across * 0.41 + 2)
  return wave * (1 - 0.25 * Math.abs(Math.sin(radians(40) + across * 0.17)))
}
