import { colour } from '../geometry/colour.js'
import type { Person } from '../person.js'

export const victor: Person = {
  name: 'victor',
  id: '9e4b6c2a-8d17-4f3b-a0c5-71f2d8e6b404',
  displayName: 'Victor',
  face: {
    ...{ skull: 1.02, cheekbones: 1.05, jaw: 1.05, chin: 1.2, faceLength: 1.03 },
    ...{ noseWidth: 1.18, noseLength: 1.18, browRidge: 1.15, lips: 0.8, mouth: 1.08, ears: 1.12, neck: 1.08 },
  },
  skin: { base: colour('#d9a27e'), blush: colour('#c9694f'), blushStrength: 1, lips: colour('#b9705f') },
  eyes: { iris: colour('#7a6a3a'), irisEdge: colour('#3a3018'), opening: 26, slant: -2, size: 0.93, lashes: 0.04 },
  brows: { colour: colour('#8d8a86'), thickness: 1.35, arch: 0.7 },
  hair: {
    colour: colour('#8f8d8b'),
    highlight: colour('#d9d7d4'),
    line: [
      [0, 47],
      [14, 48],
      [30, 52],
      [44, 44],
      [58, 24],
      [70, 6],
      [79, -8],
      [87, 0],
      [97, 8],
      [112, -6],
      [128, -26],
      [152, -38],
      [180, -40],
    ],
    sweep: 0,
    thickness: 0.05,
    volumes: [{ centre: [0, 0.9, 0.1], radii: [0.66, 0.26, 0.66], softness: 0.25 }],
    strands: { across: [1, 0.1, 0.1], count: 22, depth: 0.02 },
    curls: 0,
  },
  beard: { colour: colour('#b9b5b0'), density: 0.88, length: 0.06 },
  clothes: { kind: 'crew', colour: colour('#4d6b57'), trim: colour('#3d5646'), shoulders: 1.06 },
}
