import { colour } from '../geometry/colour.js'
import type { Person } from '../person.js'

export const jonas: Person = {
  name: 'jonas',
  id: 'b1c8e2d4-35aa-4c0b-8f6e-90d7a4e1f302',
  displayName: 'Jonas',
  face: {
    ...{ skull: 1, cheekbones: 0.95, jaw: 1.16, chin: 1.15, faceLength: 1.05 },
    ...{ noseWidth: 1.05, noseLength: 1.1, browRidge: 1, lips: 0.85, mouth: 1.04, ears: 1.05, neck: 1.06 },
  },
  skin: { base: colour('#f2c5a6'), blush: colour('#e5836b'), blushStrength: 0.9, lips: colour('#cf8374') },
  eyes: { iris: colour('#4f86a8'), irisEdge: colour('#21455e'), opening: 29, slant: 1, size: 0.96, lashes: 0.05 },
  brows: { colour: colour('#6a4226'), thickness: 1.15, arch: 0.8 },
  hair: {
    colour: colour('#6e4224'),
    highlight: colour('#b07a45'),
    line: [
      [0, 39],
      [20, 39],
      [38, 37],
      [52, 31],
      [62, 20],
      [72, 5],
      [80, -10],
      [87, 0],
      [97, 8],
      [112, -6],
      [128, -28],
      [152, -40],
      [180, -42],
    ],
    sweep: 6,
    thickness: 0.06,
    volumes: [
      { centre: [-0.1, 0.98, 0.42], radii: [0.62, 0.24, 0.46], softness: 0.22 },
      { centre: [0, 0.95, -0.15], radii: [0.7, 0.32, 0.7], softness: 0.25 },
    ],
    strands: { across: [1, 0.2, 0.45], count: 19, depth: 0.024 },
    curls: 0,
  },
  beard: { colour: colour('#7a4a2a'), density: 0.66, length: 0.026 },
  clothes: { kind: 'shirt', colour: colour('#2f4a6d'), trim: colour('#e9eef3'), shoulders: 1.08 },
  glasses: { colour: colour('#2a2320'), squareness: 2.8, width: 0.27, height: 0.225 },
}
