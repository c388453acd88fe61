/**
 * A model of a few kilobytes with the interface of Smart Turn v3 that knows turns of tones: one that ends with a low tone is
 * complete, one that ends with a high tone is not.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { float, node, type OnnxModel, onnxFile, shape } from './onnx-writer.js'

const sampleRateHz = 16_000
const bands = 80
const frames = 800
/** The low tone is in the lower half of the bands, the high one in the upper half. */
const endingHz = { complete: 300, incomplete: 3000 } as const
/** How many frames at the end count: 1 s. */
const countedFrames = 100
const steepness = 200

const model: OnnxModel = {
  nodes: [
    node('difference', 'MatMul', 'halves', 'input_features'),
    node('sum', 'MatMul', 'difference', 'ending'),
    node('row', 'Reshape', 'sum', 'shape'),
    node('logits', 'Sigmoid', 'row'),
  ],
  constants: {
    halves: float(
      Array.from({ length: bands }, (_, band) => (band < bands / 2 ? 1 : -1) / bands),
      [1, bands],
    ),
    ending: float(
      Array.from({ length: frames }, (_, frame) => (frame < frames - countedFrames ? 0 : steepness / countedFrames)),
      [frames, 1],
    ),
    shape: shape(-1, 1),
  },
  inputs: { input_features: { type: 'float', shape: ['batch', bands, frames] } },
  outputs: { logits: { type: 'float', shape: ['batch', 1] } },
  metadata: {},
}

/** Creates the folder `path` with the model, as `parlance models install` would. */
export const writeToneTurnModel = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true })
  await writeFile(join(path, 'model.onnx'), onnxFile(model))
  await writeFile(
    join(path, 'parlance.json'),
    JSON.stringify({ kind: 'turn', languages: ['en', 'de'], license: 'MIT' }),
  )
}

/** A second of a tone with which a turn is complete, or is not, and 200 ms of silence: mono s16 samples at 16 kHz. */
export const turnOfTones = (ending: keyof typeof endingHz): Int16Array =>
  Int16Array.from({ length: 1.2 * sampleRateHz }, (_, at) =>
    at < sampleRateHz ? 8000 * Math.sin((2 * Math.PI * endingHz[ending] * at) / sampleRateHz) : 0,
  )
