import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { visemeIds } from '@parlance/contracts'
import { avatarFilePath, readAvatarModels } from '@parlance/models/avatars'
import { add, cross, dot, subtract, type Vec3 } from '../src/geometry/vector.js'
import { people } from '../src/people/people.js'
import { morphTargetsOf } from '../src/writing/write-assets.js'
import { decodeGlb } from './decoded-glb.js'

const generator = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const models = readAvatarModels()
const greatest = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)

describe.each(models)('$display_name', ({ model, thumbnail, morph_targets }) => {
  const glb = readFileSync(avatarFilePath(model))

  test('the files are those in the manifest', () => {
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
    expect(morph_targets).toEqual(expect.arrayContaining(visemeIds.map((viseme) => `viseme_${viseme}`)))
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

/** As the generator lays the face out: rays round the mouth, of which each ring has one vertex. */
const rays = 68
const lipRings = 7
const skinRings = 38

const pointsOf = (values: readonly number[]): Vec3[] =>
  Array.from({ length: values.length / 3 }, (_, at) => [values[3 * at]!, values[3 * at + 1]!, values[3 * at + 2]!])

describe.each(models)('the face of $display_name', ({ model }) => {
  const { positions, indices, moves } = decodeGlb(readFileSync(avatarFilePath(model))).find(
    ({ name }) => name === 'Face',
  )!
  const rest = pointsOf(positions)
  const posed = (target: string) => pointsOf(moves[target]!).map((move, at) => add(rest[at]!, move))

  test('lips meet for "mmm" and at rest, and are apart for vowels', () => {
    // In units of a head's width.
    const headWidth = greatest(positions.filter((_, at) => at % 3 === 0)) * 2
    const opening = (viseme: string) => {
      const edge = posed(`viseme_${viseme}`)
      return (edge[rays / 4]![1] - edge[(3 * rays) / 4]![1]) / headWidth
    }
    for (const viseme of ['PP', 'sil']) expect(Math.abs(opening(viseme))).toBeLessThan(0.006)
    for (const viseme of ['aa', 'E', 'I', 'O', 'U']) expect(opening(viseme)).toBeGreaterThan(0.03)
    expect(opening('aa')).toBeGreaterThan(1.5 * opening('I'))
  })

  test('no mouth shape folds the skin round the lips over', () => {
    const triangles = Array.from({ length: indices.length / 3 }, (_, at) => indices.slice(3 * at, 3 * at + 3)).filter(
      (corners) => corners.every((vertex) => vertex >= rays * lipRings && vertex < rays * (lipRings + skinRings)),
    )
    expect(triangles.length).toBeGreaterThan(rays * skinRings)
    const normal = (points: readonly Vec3[], [a, b, c]: readonly number[]) =>
      cross(subtract(points[b!]!, points[a!]!), subtract(points[c!]!, points[a!]!))
    for (const target of Object.keys(moves)) {
      const points = posed(target)
      const folded = triangles.filter((corners) => dot(normal(points, corners), normal(rest, corners)) < 0)
      expect([target, folded.length]).toEqual([target, 0])
    }
  })
})

test('the generator still makes what is in the catalog', async () => {
  const person = people.find(({ name }) => name === 'mira')!
  const folder = await mkdtemp(join(tmpdir(), 'avatar-models-'))
  try {
    await promisify(execFile)(process.execPath, [generator, folder, person.name])
    const made = decodeGlb(readFileSync(join(folder, `${person.name}.glb`)))
    const kept = decodeGlb(readFileSync(avatarFilePath(models.find(({ id }) => id === person.id)!.model)))
    const shapeOf = ({ name, indices, moves }: (typeof made)[0]) => [name, indices.join(), ...Object.keys(moves)].join()
    expect(made.map(shapeOf).join() === kept.map(shapeOf).join()).toBe(true)
    for (const [at, mesh] of made.entries()) {
      const twin = kept[at]!
      const pairs = [
        [mesh.positions, twin.positions],
        ...Object.keys(mesh.moves).map((name) => [mesh.moves[name]!, twin.moves[name]!]),
      ]
      // Other processors round otherwise, by which a vertex may fall below what is stored of a move.
      for (const [values, others] of pairs) {
        expect(greatest(values!.map((value, index) => value - others![index]!))).toBeLessThan(5e-4)
      }
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
