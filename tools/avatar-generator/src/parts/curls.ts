import { clamp } from '../geometry/interpolation.js'
import type { Vec3 } from '../geometry/vector.js'

const curlsPerUnit = 6.5

/** Round bumps packed closely: 1 on top of a curl, 0 in the gaps. */
export const curlHeight = ([x, y, z]: Vec3): number => {
  const [px, py, pz] = [x * curlsPerUnit, y * curlsPerUnit, z * curlsPerUnit]
  let nearest = 9
  for (let i = -1; i <= 1; i++) {
    for (let j = -1; j <= 1; j++) {
      for (let k = -1; k <= 1; k++) {
        const [cx, cy, cz] = [Math.floor(px) + i, Math.floor(py) + j, Math.floor(pz) + k]
        const [dx, dy, dz] = [0, 1, 2].map((axis) => 0.15 + 0.7 * scattered(cx, cy, cz, axis)) as [
          number,
          number,
          number,
        ]
        nearest = Math.min(nearest, (cx + dx - px) ** 2 + (cy + dy - py) ** 2 + (cz + dz - pz) ** 2)
      }
    }
  }
  return clamp(1 - nearest * 1.1)
}

/** A number from 0 to 1 that looks random and is always the same for a place. */
const scattered = (x: number, y: number, z: number, axis: number): number => {
  let bits =
    Math.imul(x, 374761393) + Math.imul(y, 668265263) + Math.imul(z, 2147483647) + Math.imul(axis + 1, 1274126177)
  bits = Math.imul(bits ^ (bits >>> 13), 1274126177)
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32
}
