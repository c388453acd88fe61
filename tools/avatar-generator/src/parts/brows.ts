import { facing, outermost } from '../geometry/distance-field.js'
import { mix } from '../geometry/interpolation.js'
import { merged, mirroredSurface, type Surface, tube } from '../geometry/surface.js'
import { add, scale, type Vec3 } from '../geometry/vector.js'
import type { Head } from '../head.js'
import type { Person } from '../person.js'

const points = 16

/** They lie on the skin, which does not move with them. */
export const createBrows = (head: Head, { brows }: Person): Surface => {
  const at = (innerLift: number, lift: number) => {
    const line = Array.from({ length: points }, (_, index): Vec3 => {
      const t = index / (points - 1)
      const arch = 0.055 * brows.arch * Math.sin(Math.PI * t ** 0.8) - 0.04 * t * t
      const height = head.eye[1] + 0.335 + arch + innerLift * (1 - t) + lift
      const onSkin = outermost(head.field, [mix(0.14, 0.54, t), height, 0], [0, 0, 1])
      return add(onSkin, scale(facing(head.field, onSkin), 0.008))
    })
    return tube(line, {
      sides: 8,
      closed: false,
      up: (index) => facing(head.field, line[index]!),
      radius: (index) => {
        const t = index / (points - 1)
        const width = 0.036 * brows.thickness * Math.sin(Math.PI * mix(0.17, 0.95, t)) ** 0.6 * (1 - 0.4 * t)
        return [width, 0.5 * width]
      },
    })
  }
  const { positions, triangles } = at(0, 0)
  const left: Surface = {
    positions,
    triangles,
    colors: positions.map(() => brows.color),
    morphs: { browInnerUp: at(0.06, 0.025).positions, mouthSmile: at(0.01, 0.016).positions },
  }
  return merged([left, mirroredSurface(left)])
}
