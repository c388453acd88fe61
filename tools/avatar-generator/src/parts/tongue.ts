import { color, tint } from '../geometry/color.js'
import { bell, clamp, radians } from '../geometry/interpolation.js'
import { facingAwayFrom, gridTriangles, type Surface } from '../geometry/surface.js'
import { add, turnAboutX, type Vec3 } from '../geometry/vector.js'
import type { Head } from '../head.js'
import { mouthShapes } from '../mouth-shape.js'

const tip = color('#d9686d')
const root = color('#7a2630')
const rows = 13
const columns = 18

/** A flat drop with a groove along its back. It lies on the jaw; its tip rises and reaches out. */
export const createTongue = (head: Head): Surface => {
  const middle = add(head.mouth, [0, -0.1, -0.32])
  const positions = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column): Vec3 => {
      const [along, round] = [(row / (rows - 1)) * Math.PI, (column / columns) * 2 * Math.PI]
      const groove = Math.sin(round) > 0 ? 1 - 0.3 * bell(Math.cos(round), 0.25) : 1
      return add(middle, [
        0.135 * Math.sin(along) * Math.cos(round),
        0.055 * Math.sin(along) * Math.sin(round) * groove,
        0.15 * Math.cos(along),
      ])
    }),
  ).flat()
  const towardsTip = ([, , z]: Vec3) => clamp((z - head.mouth[2] + 0.47) / 0.34)
  const moving = Object.entries(mouthShapes).filter(([, shape]) => shape.jaw || shape.tongueUp || shape.tongueForward)
  return {
    positions,
    triangles: facingAwayFrom(positions, gridTriangles(rows, columns, true), middle),
    colors: positions.map((at) => tint(root, tip, towardsTip(at))),
    morphs: Object.fromEntries(
      moving.map(([target, { jaw, tongueUp, tongueForward }]) => [
        target,
        positions.map((at) => {
          const reach = towardsTip(at)
          return add(turnAboutX(at, head.hinge, radians(jaw)), [0, tongueUp * reach, tongueForward * reach])
        }),
      ]),
    ),
  }
}
