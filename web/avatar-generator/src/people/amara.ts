import { colour } from '../geometry/colour.js'
import type { Person } from '../person.js'

export const amara: Person = {
  name: 'amara',
  id: '3d9a7f16-0b42-4e8c-b7d1-5c2e8f90a603',
  displayName: 'Amara',
  face: {
    ...{ skull: 0.96, cheekbones: 1.1, jaw: 0.92, chin: 0.9, faceLength: 1 },
    ...{ noseWidth: 1.22, noseLength: 0.9, browRidge: 0.65, lips: 1.4, mouth: 1.06, ears: 0.88, neck: 0.86 },
  },
  skin: { base: colour('#7a4a30'), blush: colour('#9c4030'), blushStrength: 0.75, lips: colour('#8a4440') },
  eyes: { iris: colour('#3b2415'), irisEdge: colour('#1a100a'), opening: 33, slant: 4, size: 1.03, lashes: 0.2 },
  brows: { colour: colour('#17100d'), thickness: 0.9, arch: 1 },
  hair: {
    colour: colour('#120d0b'),
    highlight: colour('#43302a'),
    line: [
      [0, 45],
      [22, 44],
      [40, 38],
      [54, 26],
      [66, 8],
      [78, -4],
      [90, -6],
      [108, -14],
      [130, -28],
      [152, -36],
      [180, -36],
    ],
    sweep: 0,
    thickness: 0.12,
    volumes: [{ centre: [0, 0.52, -0.22], radii: [1.2, 1.02, 1.12], softness: 0.3 }],
    strands: { across: [1, 0, 0], count: 4, depth: 0 },
    curls: 0.07,
  },
  clothes: { kind: 'turtleneck', colour: colour('#e0a526'), trim: colour('#c48d1b'), shoulders: 0.94 },
  earrings: colour('#e8c060'),
}
