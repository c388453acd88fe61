import type { Color } from '../geometry/color.js'
import { bell, clamp, smoothstep } from '../geometry/interpolation.js'
import type { Vec3 } from '../geometry/vector.js'
import type { Person } from '../person.js'

/** How much of the skin there is hidden by beard, in which color, and how far the beard stands out. */
export const beardAt = (
  { beard, face, skin }: Person,
  [x, y, z]: Vec3,
  awayFromLips: number,
): { share: number; color: Color; thickness: number } => {
  if (beard === undefined) return { share: 0, color: skin.base, thickness: 0 }
  const side = Math.abs(x)
  const mouthY = -0.55 * face.faceLength
  // From the sideburns in a bow down to beside the mouth.
  const cheekLine = mouthY - 0.02 + 0.5 * smoothstep(0.26, 0.9, side) ** 1.5
  const onCheeks = smoothstep(0.04, -0.12, y - cheekLine)
  const moustache = smoothstep(1.25, 0.75, Math.hypot(side / 0.33, (y - mouthY - 0.085 + 0.25 * side ** 2) / 0.085))
  const besideMouth = smoothstep(1.3, 0.7, Math.hypot((side - 0.29) / 0.11, (y - mouthY) / 0.16))
  const aboveNeck = smoothstep(-1.04, -0.9, y + 0.25 * smoothstep(0.5, 0, z))
  const underLip = 1 - 0.7 * bell(side - 0.14, 0.08) * bell(y - mouthY + 0.13, 0.05)
  const grown = clamp(Math.max(onCheeks, moustache, besideMouth)) * aboveNeck * smoothstep(-0.25, 0.05, z) * underLip
  const here = grown * (0.86 + 0.14 * Math.sin(61 * x + 23 * y) * Math.sin(53 * y - 31 * z))
  return {
    share: here * beard.density,
    color: beard.color,
    thickness: here * beard.length * smoothstep(0, 0.11, awayFromLips),
  }
}
