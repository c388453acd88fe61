import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeToneModel } from '@parlance/testing'
import { zipSync } from 'fflate'
import { dump } from 'npyjs'

/** What sherpa-onnx needs and original models lack. */
const withoutMetadata = Object.fromEntries(
  [
    'model_type',
    'language',
    'voice',
    'has_espeak',
    'n_speakers',
    'sample_rate',
    'style_dim',
    'add_blank',
    'punctuation',
  ].map((key) => [key, undefined]),
)

/** The shape of the styles that the model for tests takes. */
export const styleShape = [200, 1, 2]
const styleLength = 400

/** The style of the speaker with this number. */
export const styleOf = (speaker: number): Float32Array => new Float32Array(styleLength).fill(speaker)

/** A zip of NumPy's arrays. */
export const numpyArchive = (arrays: Readonly<Record<string, ArrayBuffer>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(arrays).map(([name, bytes]) => [`${name}.npy`, new Uint8Array(bytes)])))

/** Writes `kokoro-v1.0.onnx`, `voices-v1.0.bin` and `config.json` as their project publishes them, of a model that makes tones. */
export const writeKokoroOriginal = async (folder: string, speakers: readonly string[]): Promise<void> => {
  const made = await mkdtemp(join(tmpdir(), 'parlance-tones-'))
  await writeToneModel(made, { shape: 'kokoro', speakers: speakers.length, metadata: withoutMetadata })
  const tokens = (await readFile(join(made, 'tokens.txt'), 'utf8')).split('\n').filter((line) => line !== '')
  const vocab = Object.fromEntries(
    tokens.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
  await mkdir(folder, { recursive: true })
  await rename(join(made, 'model.onnx'), join(folder, 'kokoro-v1.0.onnx'))
  await writeFile(join(folder, 'config.json'), JSON.stringify({ vocab }))
  const styles = speakers.map((name, speaker) => [name, dump(styleOf(speaker), styleShape)])
  await writeFile(join(folder, 'voices-v1.0.bin'), numpyArchive(Object.fromEntries(styles)))
  await rm(made, { recursive: true })
}
