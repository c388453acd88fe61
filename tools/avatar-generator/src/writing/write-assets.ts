import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AvatarFile, AvatarModel } from '@parlance/models/avatars'
import { createAvatar } from '../avatar.js'
import { people } from '../people/people.js'
import type { Person } from '../person.js'
import { writeGlb } from './glb.js'
import { jsonOf } from './glb-json.js'

const modelFile = ({ name }: Person) => `${name}.glb`
const thumbnailFile = ({ name }: Person) => `${name}.webp`

/** Writes the models of these people into `folder`. `onMade` is called for each. */
export const writeModels = async (
  folder: string,
  chosen: readonly Person[],
  onMade: (name: string, bytes: number, ms: number) => void,
): Promise<void> => {
  await mkdir(folder, { recursive: true })
  for (const person of chosen) {
    const startedMs = performance.now()
    const glb = await writeGlb(createAvatar(person), person.displayName)
    await writeFile(join(folder, modelFile(person)), glb)
    onMade(person.name, glb.length, performance.now() - startedMs)
  }
}

/** Lists what is in `folder`, once each head has a thumbnail there. */
export const writeManifest = async (folder: string): Promise<void> => {
  const avatars = await Promise.all(
    people.map(async (person): Promise<AvatarModel> => {
      const glb = await readFile(join(folder, modelFile(person)))
      return {
        id: person.id,
        display_name: person.displayName,
        license: 'Apache-2.0',
        model: describeFile(modelFile(person), glb),
        thumbnail: describeFile(thumbnailFile(person), await readFile(join(folder, thumbnailFile(person)))),
        morph_targets: morphTargetsOf(glb),
      }
    }),
  )
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify({ avatars }, null, 2)}\n`)
}

const describeFile = (file: string, bytes: Uint8Array): AvatarFile => ({
  file,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  size_bytes: bytes.length,
})

export const morphTargetsOf = (glb: Uint8Array): string[] => [
  ...new Set(jsonOf(glb).meshes.flatMap(({ extras }) => extras?.targetNames ?? [])),
]
