import { type Color, color, tint } from '../geometry/color.js'
import { mix, radians } from '../geometry/interpolation.js'
import { facingAwayFrom, gridTriangles, merged, mirroredSurface, type Surface } from '../geometry/surface.js'
import { add, type Vec3 } from '../geometry/vector.js'
import type { Head } from '../head.js'
import type { Person } from '../person.js'

const lash = color('#241712')
const columns = 27

/** A row of a lid: how far from its edge to where it ends under the skin, and how far out, in eye radii beside the lid's. */
interface LidRow {
  readonly share: number
  readonly out: number
}

/** Where a lid's edge is, in degrees above the eye's middle, and the lid's radius in eye radii. */
interface LidPose {
  readonly edge: number
  readonly radius: number
}

/** Both lids of both eyes: slices of a sphere round the eye, which turn about a line through its corners. */
export const createEyelids = (head: Head, person: Person): Surface => {
  const left = merged([createUpperLid(head, person), createLowerLid(head, person)])
  return merged([left, mirroredSurface(left, (name) => name.replace('Left', 'Right'))])
}

const createUpperLid = (head: Head, person: Person): Surface => {
  const { opening, lashes } = person.eyes
  const rows: LidRow[] = [
    { share: 0, out: -0.07 },
    { share: 0, out: lashes },
    { share: 0.02, out: 0.02 },
    { share: 0.06, out: 0.005 },
    ...[0.1, 0.2, 0.4, 0.7, 1].map((share) => ({ share, out: 0 })),
  ]
  const lid = tint(person.skin.base, person.skin.blush, 0.24)
  return createLid(head, person, {
    rows,
    far: 125,
    colors: rows.map((_, row) => (row <= 2 ? lash : row === 3 ? tint(lash, lid, 0.6) : lid)),
    rest: { edge: opening, radius: 1.075 },
    morphs: { eyeBlinkLeft: { edge: -20, radius: 1.15 }, mouthSmile: { edge: opening - 3, radius: 1.075 } },
  })
}

const createLowerLid = (head: Head, person: Person): Surface => {
  const rows: LidRow[] = [{ share: 0, out: -0.04 }, ...[0, 0.05, 0.12, 0.3, 0.6, 1].map((share) => ({ share, out: 0 }))]
  const { base, blush } = person.skin
  return createLid(head, person, {
    rows,
    far: -115,
    colors: rows.map((_, row) => tint(base, blush, row <= 1 ? 0.5 : 0.14)),
    rest: { edge: -36, radius: 1.035 },
    morphs: { eyeBlinkLeft: { edge: -22, radius: 1.05 }, mouthSmile: { edge: -28, radius: 1.05 } },
  })
}

interface Lid {
  readonly rows: readonly LidRow[]
  /** Degrees at which the lid ends, under the skin. */
  readonly far: number
  readonly colors: readonly Color[]
  readonly rest: LidPose
  readonly morphs: Readonly<Record<string, LidPose>>
}

const createLid = (head: Head, person: Person, { rows, far, colors, rest, morphs }: Lid): Surface => {
  const posed = ({ edge, radius }: LidPose): Vec3[] =>
    rows.flatMap(({ share, out }) =>
      Array.from({ length: columns }, (_, column): Vec3 => {
        const across = radians(mix(-85, 85, column / (columns - 1)))
        // Lashes are longest towards the outer corner.
        const r = head.eyeRadius * (radius + out * (out > 0.03 ? 0.55 + 0.45 * Math.sin(across) : 1))
        const up = radians(mix(edge + person.eyes.slant * Math.sin(across), far, share))
        return add(head.eye, [
          r * Math.sin(across),
          r * Math.cos(across) * Math.sin(up),
          r * Math.cos(across) * Math.cos(up),
        ])
      }),
    )
  const positions = posed(rest)
  return {
    positions,
    triangles: facingAwayFrom(positions, gridTriangles(rows.length, columns, false), head.eye),
    colors: rows.flatMap((_, row) => Array.from({ length: columns }, () => colors[row]!)),
    morphs: Object.fromEntries(Object.entries(morphs).map(([name, pose]) => [name, posed(pose)])),
  }
}
