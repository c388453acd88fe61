import { colour } from '../geometry/colour.js'
import type { Person } from '../person.js'

export const mira: Person = {
  name: 'mira',
  id: '6f0f5b0e-7c1d-4f5e-9a53-2d1f4c6b8a01',
  displayName: 'Mira',
  face: {
    ...{ skull: 0.97, cheekbones: 1.02, jaw: 0.86, chin: 0.82, faceLength: 0.98 },
    ...{ noseWidth: 0.86, noseLength: 0.95, browRidge: 0.6, lips: 1.15, mouth: 0.96, ears: 0.9, neck: 0.84 },
  },
  skin: { base: colour('#e0a57c'), blush: colour('#d9705a'), blushStrength: 0.9, lips: colour('#bd6156') },
  eyes: { iris: colour('#6b4425'), irisEdge: colour('#2c1a10'), opening: 33, slant: 5, size: 1.02, lashes: 0.2 },
  brows: { colour: colour('#2a1a14'), thickness: 0.88, arch: 0.95 },
  hair: {
    colour: colour('#2b1a15'),
    highlight: colour('#7d4b36'),
    line: [
      [0, 41],
      [20, 41],
      [38, 37],
      [52, 27],
      [60, 9],
      [67, -14],
      [76, -40],
      [95, -57],
      [130, -62],
      [180, -62],
    ],
    sweep: 9,
    thickness: 0.075,
    volumes: [
      { centre: [0.6, -0.3, -0.12], radii: [0.42, 0.82, 0.56], softness: 0.25, bothSides: true },
      { centre: [0, -0.3, -0.42], radii: [0.82, 0.9, 0.62], softness: 0.3 },
      { centre: [-0.12, 0.86, 0.3], radii: [0.6, 0.3, 0.5], softness: 0.25 },
    ],
    strands: { across: [0.35, 0.1, 1], count: 19, depth: 0.02 },
    curls: 0,
  },
  clothes: { kind: 'crew', colour: colour('#c8553d'), trim: colour('#a94431'), shoulders: 0.92 },
}
