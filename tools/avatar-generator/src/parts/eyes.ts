import { type Color, color, darken, tint } from '../geometry/color.js'
import { clamp, mix, radians, smoothstep } from '../geometry/interpolation.js'
import { facingAwayFrom, fanTriangles, gridTriangles, type Surface } from '../geometry/surface.js'
import { add, blend, cross, normalize, scale, type Vec3 } from '../geometry/vector.js'
import type { Head } from '../head.js'
import type { EyeLook } from '../person.js'

const white = color('#f7f3ee')
const vein = color('#e2a79b')
const pupil = color('#100d0c')

const sides = 36
const irisDegrees = 34

/** An eyeball about the origin, which looks ahead; it is turned to look elsewhere. */
export const createEye = (radius: number, look: EyeLook): Surface => {
  const rows = [...[0, 8, 15.2, 16.4, 20, 24, 28, 31, 33, irisDegrees], irisDegrees + 1.4]
  for (let angle = 44; angle <= 180; angle += 12) rows.push(Math.min(180, angle))
  rows.push(180)
  const positions: Vec3[] = []
  const colors: Color[] = []
  for (const degrees of rows) {
    for (let side = 0; side < sides; side++) {
      const [away, round] = [radians(degrees), (side / sides) * 2 * Math.PI]
      // Flatter over the iris, as if one looked through a lens at it.
      const r = radius * mix(0.975, 1, clamp(degrees / irisDegrees))
      positions.push([r * Math.sin(away) * Math.cos(round), r * Math.sin(away) * Math.sin(round), r * Math.cos(away)])
      colors.push(eyeColor(degrees, round, look))
    }
  }
  return {
    positions,
    triangles: facingAwayFrom(positions, gridTriangles(rows.length, sides, true), [0, 0, 0]),
    colors,
    morphs: {},
  }
}

const eyeColor = (degrees: number, round: number, { iris, irisEdge }: EyeLook): Color => {
  const shadedByLid = clamp(Math.sin(round))
  if (degrees > irisDegrees)
    return darken(tint(white, vein, clamp((degrees - 65) / 150)), 0.28 * shadedByLid * smoothstep(10, 34, degrees))
  if (degrees < 15.5) return pupil
  const ring = tint(iris, irisEdge, Math.max(smoothstep(22, 16, degrees) * 0.7, smoothstep(27, 32, degrees)))
  const rim = tint(ring, pupil, 0.55 * smoothstep(30, irisDegrees, degrees))
  const fibres = 0.1 * Math.sin(round * 9) * smoothstep(33, 26, degrees)
  // Light that comes in from above lights the lower half of the iris from behind.
  return darken(
    scale(rim, 1 + fibres + 0.7 * clamp(-Math.sin(round)) * smoothstep(32, 26, degrees)),
    0.45 * shadedByLid,
  )
}

/** Two lights that mirror in an eye: they stay where they are when the eye turns. */
export const createGlints = (head: Head, side: 1 | -1): Surface[] => {
  const eye: Vec3 = [side * head.eye[0], head.eye[1], head.eye[2]]
  const blink = side === 1 ? 'eyeBlinkLeft' : 'eyeBlinkRight'
  return [
    { right: 12, up: 14, size: 0.034 },
    { right: -10, up: -13, size: 0.015 },
  ].map(({ right, up, size }) => {
    const ahead = normalize([Math.sin(radians(right)), Math.sin(radians(up)), 1])
    const across = normalize(cross([0, 1, 0], ahead))
    const upwards = cross(ahead, across)
    const middle = add(eye, scale(ahead, head.eyeRadius * 1.015))
    const ring = Array.from({ length: 16 }, (_, index) => {
      const angle = (index / 8) * Math.PI
      return add(middle, add(scale(across, size * Math.cos(angle)), scale(upwards, size * Math.sin(angle))))
    })
    const positions = [...ring, middle]
    return {
      positions,
      triangles: facingAwayFrom(positions, fanTriangles([...ring.keys()], ring.length), eye),
      // A lid that closes must not have them shine on it.
      morphs: { [blink]: positions.map((at) => blend(at, eye, 0.4)) },
      colors: positions.map((): Color => [1, 1, 1]),
    }
  })
}
