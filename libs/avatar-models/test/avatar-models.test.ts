import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createAvatar, type Part } from '../src/avatar.js'
import type { Surface } from '../src/geometry/surface.js'
import { cross, dot, subtract, type Vec3 } from '../src/geometry/vector.js'
import { avatarFilePath, readAvatarModels, visemes } from '../src/index.js'
import { people } from '../src/people/people.js'
import { writeGlb } from '../src/writing/glb.js'
import { morphTargetsOf } from '../src/writing/write-assets.js'
import { decodeGlb } from './decoded-glb.js'

const models = readAvatarModels()
const greatest = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)

describe.each(models)('$display_name', ({ model, thumbnail, morph_targets }) => {
  const glb = readFileSync(avatarFilePath(model))

  test('the files are those that the manifest tells of', () => {
    for (const file of [model, thumbnail]) {
      const bytes = readFileSync(avatarFilePath(file))
      expect(bytes).toHaveLength(file.size_bytes)
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256)
    }
    expect(model.size_bytes).toBeLessThan(1_050_000)
    expect(thumbnail.size_bytes).toBeLessThan(30_000)
  })

  test('there is a morph target for each viseme and for blinks, a smile and brows, in the manifest and in the file', () => {
    expect(morphTargetsOf(glb)).toEqual(morph_targets)
    expect(morph_targets).toEqual(expect.arrayContaining(visemes.map((viseme) => `viseme_${viseme}`)))
    expect(morph_targets).toEqual(
      expect.arrayContaining(['eyeBlinkLeft', 'eyeBlinkRight', 'mouthSmile', 'browInnerUp']),
    )
  })

  test('each of them moves something, but for silence, which is the mouth at rest', () => {
    const meshes = decodeGlb(glb)
    for (const target of morph_targets) {
      const moved = greatest(meshes.map(({ moves }) => greatest(moves[target] ?? [])))
      if (target === 'viseme_sil') expect([target, moved]).toEqual([target, 0])
      else expect([target, moved > 0.004]).toEqual([target, true])
    }
  })
})

describe('the generator', () => {
  const person = people.find(({ name }) => name === 'mira')!
  let parts: Part[]
  let face: Surface
  beforeAll(() => {
    parts = createAvatar(person)
    face = parts.find(({ name }) => name === 'Face')!.surface
  }, 60_000)

  test('it still makes what is in the catalog', async () => {
    const kept = decodeGlb(readFileSync(avatarFilePath(models.find(({ id }) => id === person.id)!.model)))
    const made = decodeGlb(await writeGlb(parts, person.displayName))
    expect(made.map(({ name }) => name)).toEqual(kept.map(({ name }) => name))
    for (const [at, mesh] of made.entries()) {
      const twin = kept[at]!
      expect(mesh.indices).toEqual(twin.indices)
      expect(Object.keys(mesh.moves)).toEqual(Object.keys(twin.moves))
      for (const [values, others] of [
        [mesh.positions, twin.positions],
        ...Object.entries(mesh.moves).map(([name, move]) => [move, twin.moves[name]!]),
      ] as [number[], number[]][]) {
        // Other processors round otherwise, by which a vertex may fall below what is stored of a move.
        expect(greatest(values.map((value, index) => value - others[index]!))).toBeLessThan(5e-4)
      }
    }
  }, 60_000)

  /** How far apart the lips are in their middle, in units of the head. */
  const opening = (target: string) => {
    const rays = 68
    const edge = face.morphs[`viseme_${target}`]!
    return edge[rays / 4]![1] - edge[(3 * rays) / 4]![1]
  }

  test('lips meet for "mmm" and at rest, and are apart for vowels', () => {
    for (const target of ['PP', 'sil']) expect(Math.abs(opening(target))).toBeLessThan(0.01)
    for (const target of ['aa', 'E', 'I', 'O', 'U']) expect(opening(target)).toBeGreaterThan(0.06)
    expect(opening('aa')).toBeGreaterThan(1.5 * opening('I'))
  })

  test('no mouth shape folds the skin round the lips over', () => {
    const lipVertices = 68 * 7
    const skinVertices = 68 * 45
    const triangles = Array.from({ length: face.triangles.length / 3 }, (_, at) =>
      face.triangles.slice(3 * at, 3 * at + 3),
    ).filter((corners) => corners.every((vertex) => vertex >= lipVertices && vertex < skinVertices))
    const normal = (points: readonly Vec3[], [a, b, c]: readonly number[]) =>
      cross(subtract(points[b!]!, points[a!]!), subtract(points[c!]!, points[a!]!))
    for (const [target, points] of Object.entries(face.morphs)) {
      const folded = triangles.filter((corners) => dot(normal(points, corners), normal(face.positions, corners)) < 0)
      expect([target, folded.length]).toEqual([target, 0])
    }
  })
})
