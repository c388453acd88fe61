import { facing, nearSurface, outermost } from '../geometry/distance-field.js'
import { bell, mix, radians, smoothstep } from '../geometry/interpolation.js'
import { facingAwayFrom, flipped, gridTriangles, type Surface } from '../geometry/surface.js'
import { add, blend, distance, normalize, scale, turnAboutX, type Vec3 } from '../geometry/vector.js'
import type { Head } from '../head.js'
import { type MouthShape, mouthShapes, restingMouth } from '../mouth-shape.js'
import type { Person } from '../person.js'
import { beardAt } from './beard.js'
import { faceColor } from './face-color.js'
import { mouthBag, mouthBagColors } from './mouth-bag.js'
import { lipEdges, type OnFace } from './mouth-outline.js'

/**
 * The skin of the head, as rings round the mouth: a few over the lips, the others from there to the back of the head,
 * where the last is a point. Each mouth shape moves the rings' outlines over the head and then presses, pushes and turns
 * what lies there. What is far from the mouth is left alone.
 */
const rays = 68
const lipRings = 6
const skinRings = 38

/** A vertex before anything moves it out of the bare head's surface. */
interface Site {
  readonly angle: number
  /** 0 at the inner edge of the lips, 1 at the outer and beyond. */
  readonly overLip: number
  /** How far from the lips, in radians. */
  readonly away: number
  readonly place: OnFace
  readonly point: Vec3
  readonly normal: Vec3
}

export const createFace = (head: Head, person: Person): Surface => {
  const rest = mouthOf(person, mouthShapes[restingMouth]!)
  const sites = createSites(head, person, rest)
  const positionsOf = (target: string): Vec3[] => {
    const shape = mouthOf(person, mouthShapes[target]!)
    const skin = sites.map((site) => posed(head, person, site, rest, shape))
    return [...skin, ...mouthBag(skin.slice(0, rays), shape.jaw)]
  }
  const positions = positionsOf(restingMouth)
  const skinTriangles = facingAwayFrom(positions, gridTriangles(lipRings + skinRings + 1, rays, true), head.middle)
  const bagRows = (positions.length - sites.length) / rays
  // The bag goes on inwards from the first ring, so its triangles turn the other way.
  const bagTriangles = gridTriangles(bagRows + 1, rays, true).map((vertex) =>
    vertex < rays ? vertex : vertex - rays + sites.length,
  )
  const sameWay = skinTriangles[1] === 1
  return {
    positions,
    triangles: [...skinTriangles, ...(sameWay ? flipped(bagTriangles) : bagTriangles)],
    colors: [...sites.map((site, index) => faceColor(head, person, site, positions[index]!)), ...mouthBagColors(rays)],
    morphs: Object.fromEntries(Object.keys(mouthShapes).map((target) => [target, positionsOf(target)])),
  }
}

const mouthOf = ({ face }: Person, shape: MouthShape): MouthShape => ({ ...shape, width: shape.width * face.mouth })

const createSites = (head: Head, { face }: Person, rest: MouthShape): Site[] =>
  Array.from({ length: lipRings + skinRings + 1 }, (_, ring) =>
    Array.from({ length: rays }, (_, ray): Site => {
      const angle = (ray / rays) * 2 * Math.PI
      const outwards = ring <= lipRings ? 0 : ((ring - lipRings) / skinRings) ** 1.7
      const overLip = Math.min(1, ring / lipRings)
      const { inner, outer } = lipEdges(rest, face.lips, angle)
      const place: OnFace = [
        mix(mix(inner[0], outer[0], overLip), Math.PI * Math.cos(angle), outwards),
        mix(mix(inner[1], outer[1], overLip), Math.PI * Math.sin(angle), outwards),
      ]
      const point = outermost(head.field, head.middle, directionTo(head, place))
      return { angle, overLip, away: outwards * Math.PI, place, point, normal: facing(head.field, point) }
    }),
  ).flat()

const directionTo = (head: Head, [x, y]: OnFace): Vec3 => {
  const angle = Math.hypot(x, y)
  const sideways = angle < 1e-6 ? 1 : Math.sin(angle) / angle
  const across = add([x * sideways, 0, 0], scale(head.mouthUp, y * sideways))
  return normalize(add(scale(head.mouthDirection, Math.cos(angle)), across))
}

/** Where a vertex is while the mouth has that shape. */
const posed = (head: Head, person: Person, site: Site, rest: MouthShape, shape: MouthShape): Vec3 => {
  const { point, normal } = moved(head, person, site, rest, shape)
  const { angle, overLip, away } = site
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)]
  const isUpper = sine >= 0
  const isLip = away === 0
  /** 0 in the corners, 1 over most of the mouth. */
  const middle = 1 - Math.abs(cosine) ** 6

  let out = 0
  if (isLip) {
    const cushion =
      Math.sin(Math.PI * mix(0.12, 1, overLip) ** 0.8) * mix(0.042, isUpper ? 0.038 : 0.047, overLip) * person.face.lips
    out += cushion * mix(0.3, 1, middle) * (1 - 0.85 * shape.roll)
    out -= 0.02 * shape.roll * (1 - overLip) * middle
    if (overLip === 0) out -= 0.006 * middle
  } else {
    out -= (isUpper ? 0.006 : 0.018) * middle * bell(away - 0.05, 0.04)
    out -= 0.012 * bell(site.place[0], 0.035) * bell(away - 0.09, 0.06) * (isUpper ? 1 : 0)
    out += 0.02 * shape.roll * bell(away - 0.09, 0.07) * middle
    out += beardAt(person, site.point, away).thickness
  }
  out -= (0.008 + 0.008 * shape.cheeks) * bell(Math.abs(cosine) - 1, 0.08) * bell(away - 0.03, 0.06)
  let at = add(point, scale(normal, out))

  at = add(at, [0, 0, shape.pout * bell(away, 0.22) * mix(0.75, 1, middle)])
  if (!isUpper) {
    const under = shape.tuck * middle * (1 - 0.6 * overLip) * bell(away, 0.08)
    at = add(at, [0, 0.022 * under * (1 - overLip), -0.055 * under])
  }
  at = add(at, cheekLift(at, shape.cheeks))
  return shape.jaw === 0 ? at : blend(at, turnAboutX(at, head.hinge, radians(shape.jaw)), jawShare(site, at))
}

/** The place on the bare head to which the outline of the lips carries a vertex. */
const moved = (head: Head, { face }: Person, site: Site, rest: MouthShape, shape: MouthShape) => {
  const [x, y] = site.place
  // The nose keeps its place: skin that was pushed up under it would crease.
  const underNose = bell(x, 0.18) * smoothstep(0.05, 0.18, y)
  const fade = bell(site.away, 0.3) * (1 - underNose)
  if (shape === rest || fade < 1e-3) return site
  const [from, to] = [lipEdges(rest, face.lips, site.angle), lipEdges(shape, face.lips, site.angle)]
  const shift = ([0, 1] as const).map(
    (axis) => fade * mix(to.inner[axis] - from.inner[axis], to.outer[axis] - from.outer[axis], site.overLip),
  )
  const place: OnFace = [x + shift[0]!, y + shift[1]!]
  const guess = distance(site.point, head.middle)
  const point = nearSurface(head.field, head.middle, directionTo(head, place), guess)
  return { point, normal: facing(head.field, point) }
}

const cheekLift = (at: Vec3, strength: number): Vec3 => {
  if (strength === 0) return [0, 0, 0]
  const side = Math.sign(at[0])
  const near = strength * bell(distance(at, [side * 0.42, -0.26, 0.62]), 0.27)
  return [side * 0.012 * near, 0.05 * near, 0.035 * near]
}

/** How much of the jaw's turn a vertex follows: all below the mouth, half in its corners, nothing at the ears. */
const jawShare = ({ angle, away }: Site, at: Vec3): number => {
  const below = smoothstep(0, 1, 0.5 - 0.5 * Math.sin(angle))
  const sideways = Math.abs(Math.cos(angle)) ** 1.5
  return below * smoothstep(-0.3, 0.25, at[2]) * mix(1, 1 - smoothstep(0.3, 0.95, away), sideways)
}
