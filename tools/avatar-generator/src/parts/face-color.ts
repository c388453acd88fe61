import { type Color, darken, tint } from '../geometry/color.js'
import { bell, smoothstep } from '../geometry/interpolation.js'
import { distance, type Vec3 } from '../geometry/vector.js'
import type { Head } from '../head.js'
import type { Person } from '../person.js'
import { beardAt } from './beard.js'

/** Where on the face something is: its point on the bare head, and how far it is over the lips and away from them. */
interface FacePlace {
  readonly point: Vec3
  /** 0 at the inner edge of the lips, 1 at the outer and beyond. */
  readonly overLip: number
  readonly away: number
}

/** The color of the face at a place whose vertex is at `at` when it rests. */
export const faceColor = (head: Head, person: Person, { point, overLip, away }: FacePlace, at: Vec3): Color => {
  if (overLip === 0) return darken(person.skin.lips, 0.55)
  const { share, color } = beardAt(person, point, away)
  const skin = tint(shaded(head, at, flushed(head, person, at)), color, share)
  return away > 0 ? skin : tint(skin, person.skin.lips, 0.92 * smoothstep(1.04, 0.78, overLip))
}

/** Blood shows in cheeks, round the eyes and on the tip of the nose. */
const flushed = ({ eye }: Head, { skin }: Person, [x, y, z]: Vec3): Color => {
  const near = (place: Vec3, width: number) => skin.blushStrength * bell(distance([Math.abs(x), y, z], place), width)
  const cheeks = tint(skin.base, skin.blush, 0.45 * near([0.45, -0.26, 0.64], 0.27))
  const nose = tint(cheeks, skin.blush, 0.35 * near([0, -0.24, 1.02], 0.13))
  return tint(nose, skin.blush, 0.3 * near([eye[0], eye[1] + 0.02, 0.82], 0.22))
}

/** Little light comes into the nostrils and under the chin. */
const shaded = ({ mouth }: Head, [x, y, z]: Vec3, skin: Color): Color => {
  const inNostril = bell(Math.abs(x) - 0.055, 0.035) * bell(y - mouth[1] - 0.255, 0.03) * smoothstep(0.75, 0.85, z)
  return darken(darken(skin, 0.3 * inNostril), 0.22 * smoothstep(-0.84, -1.02, y))
}
