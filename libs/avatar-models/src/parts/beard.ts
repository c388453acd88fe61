import type { Colour } from '../geometry/colour.js'
import { bell, clamp, smoothstep } from '../geometry/interpolation.js'
import type { Vec3 } from '../geometry/vector.js'
import type { Person } from '../person.js'

/** How much of the skin there is hidden by beard, in which colour, and how far the beard stands out. */
export const beardAt = (
  { beard, face, skin }: Person,
  [x, y, z]: Vec3,
  awayFromLips: number,
): { share: number; colour: Colour; thickness: number } => {
  if (beard === undefined || awayFromLips === 0) return { share: 0, colour: skin.base, thickness: 0 }
  const side = Math.abs(x)
  const low = face.faceLength
  // From the sideburns down to the corners of the mouth; over the lip it is a moustache that leaves the philtrum's top free.
  const cheekLine = -0.5 * low + 0.02 + 0.5 * smoothstep(0.3, 0.86, side) ** 1.4
  const onCheeks = smoothstep(0.05, -0.07, y - cheekLine)
  const moustache = smoothstep(-0.375, -0.42, y) * smoothstep(0.38, 0.28, side)
  const aboveNeck = smoothstep(-1.03, -0.92, y + 0.25 * smoothstep(0.5, 0, z))
  const underLip = 1 - 0.75 * bell(side, 0.12) * bell(awayFromLips - 0.03, 0.03) * (y < -0.55 * low ? 1 : 0)
  const here = clamp(Math.max(onCheeks, moustache)) * aboveNeck * smoothstep(-0.25, 0.05, z) * underLip
  return {
    share: here * beard.density,
    colour: beard.colour,
    thickness: here * beard.length * smoothstep(0, 0.06, awayFromLips),
  }
}
