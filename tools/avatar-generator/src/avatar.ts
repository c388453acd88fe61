import { merged, type Surface } from './geometry/surface.js'
import type { Vec3 } from './geometry/vector.js'
import { createHead } from './head.js'
import { createBrows } from './parts/brows.js'
import { createClothes } from './parts/clothes.js'
import { createEarrings } from './parts/earrings.js'
import { createEars } from './parts/ears.js'
import { createEyelids } from './parts/eyelids.js'
import { createEye, createGlints } from './parts/eyes.js'
import { createFace } from './parts/face.js'
import { createGlasses } from './parts/glasses.js'
import { createHair } from './parts/hair.js'
import { createNeck } from './parts/neck.js'
import { createLowerTeeth, createUpperTeeth } from './parts/teeth.js'
import { createTongue } from './parts/tongue.js'
import type { Person } from './person.js'
import { createTorso } from './torso.js'

/** How surfaces take the light. Their colors are the vertices' own. */
export type Finish = 'skin' | 'eye' | 'glint' | 'hair' | 'teeth' | 'tongue' | 'cloth' | 'frame' | 'metal'

/** A mesh of the model. Those of the head turn with it, about the neck; an eye stands at its place and turns there. */
export interface Part {
  readonly name: string
  readonly finish: Finish
  readonly surface: Surface
  readonly of: 'Head' | 'Body'
  readonly at?: Vec3
}

/** Where the head turns, on top of the neck. */
export const headPivot: Vec3 = [0, -0.85, -0.15]

export const createAvatar = (person: Person): Part[] => {
  const head = createHead(person)
  const torso = createTorso(person)
  const { eye, eyeRadius } = head
  const onHead = (name: string, finish: Finish, surface: Surface, at?: Vec3): Part => ({
    name,
    finish,
    surface,
    of: 'Head',
    ...(at && { at }),
  })
  return [
    onHead('Face', 'skin', merged([createFace(head, person), createEyelids(head, person)])),
    onHead('Ears', 'skin', createEars(head, person)),
    onHead('Hair', 'hair', createHair(head, person)),
    onHead('Brows', 'hair', createBrows(head, person)),
    onHead('Teeth', 'teeth', merged([createUpperTeeth(head), createLowerTeeth(head)])),
    onHead('Tongue', 'tongue', createTongue(head)),
    onHead('EyeLeft', 'eye', createEye(eyeRadius, person.eyes), eye),
    onHead('EyeRight', 'eye', createEye(eyeRadius, person.eyes), [-eye[0], eye[1], eye[2]]),
    onHead('Glints', 'glint', merged([...createGlints(head, 1), ...createGlints(head, -1)])),
    ...(person.glasses ? [onHead('Glasses', 'frame', createGlasses(head, person.glasses))] : []),
    ...(person.earrings ? [onHead('Earrings', 'metal', createEarrings(head, person, person.earrings))] : []),
    { name: 'Neck', finish: 'skin', surface: createNeck(torso, person), of: 'Body' },
    { name: 'Clothes', finish: 'cloth', surface: createClothes(torso, person), of: 'Body' },
  ]
}
