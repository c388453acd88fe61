import { type Color, color, tint } from '../geometry/color.js'
import { mix, radians, smoothstep } from '../geometry/interpolation.js'
import { facingAwayFrom, gridTriangles, type Surface } from '../geometry/surface.js'
import { add, turnAboutX, type Vec3 } from '../geometry/vector.js'
import type { Head } from '../head.js'
import { type MouthShape, mouthShapes } from '../mouth-shape.js'

const enamel = color('#fbf7ef')
const shade = color('#8d6a62')
const gum = color('#d98f8b')

const rows = 7
const columns = 25

/**
 * Each row of teeth is one smooth band: single teeth look like a comb from afar. It bends back to both sides, where it
 * lies in shade.
 */
const band = (
  head: Head,
  { width, back, top, bottom }: { width: number; back: number; top: number; bottom: number },
) => {
  const positions: Vec3[] = []
  const colors: Color[] = []
  for (let row = 0; row < rows; row++) {
    const down = row / (rows - 1)
    for (let column = 0; column < columns; column++) {
      const angle = radians(mix(-80, 80, column / (columns - 1)))
      const aside = Math.abs(Math.sin(angle))
      const bulge = 0.016 * Math.sin(Math.PI * down)
      positions.push([
        width * Math.sin(angle),
        head.mouth[1] + mix(top, bottom, down) + (bottom < top ? 0.03 : 0) * aside ** 3 * (top > 0 ? 1 : -0.4),
        head.mouth[2] - back + 0.165 * Math.cos(angle) + bulge,
      ])
      colors.push(row === 0 && top > 0 ? gum : tint(enamel, shade, 0.85 * smoothstep(0.45, 1, aside)))
    }
  }
  const triangles = facingAwayFrom(positions, gridTriangles(rows, columns, false), add(head.mouth, [0, 0, -0.6]))
  return { positions, triangles, colors }
}

/** Lips that are pushed forward come down over them. */
export const createUpperTeeth = (head: Head): Surface =>
  withMorphs(
    band(head, { width: 0.225, back: 0.222, top: 0.1, bottom: -0.036 }),
    (at, { pout }) => add(at, [0, 0.65 * pout, -0.4 * pout]),
    ({ pout }) => pout > 0.03,
  )

/** They go down with the jaw. */
export const createLowerTeeth = (head: Head): Surface => {
  const teeth = band(head, { width: 0.2, back: 0.272, top: -0.06, bottom: -0.15 })
  return withMorphs(
    { ...teeth, colors: teeth.colors.map((at) => tint(at, shade, 0.12)) },
    (at, { jaw }) => turnAboutX(at, head.hinge, radians(jaw)),
    ({ jaw }) => jaw !== 0,
  )
}

const withMorphs = (
  teeth: Omit<Surface, 'morphs'>,
  moved: (at: Vec3, shape: MouthShape) => Vec3,
  moves: (shape: MouthShape) => boolean,
): Surface => ({
  ...teeth,
  morphs: Object.fromEntries(
    Object.entries(mouthShapes)
      .filter(([, shape]) => moves(shape))
      .map(([target, shape]) => [target, teeth.positions.map((at) => moved(at, shape))]),
  ),
})
