import { readFile, stat } from 'node:fs/promises'
import type { DetectorKind } from '../detector-model.js'
import { type OnnxInterface, readOnnxInterface } from '../onnx/onnx-interface.js'

/** Detectors are small. Larger files are not read. */
const maxBytes = 64 * 1024 * 1024

/** How models are recognized by their inputs and outputs: Smart Turn v3, and Silero from its version 5 on. */
const isOfKind: Readonly<Record<DetectorKind, (model: OnnxInterface) => boolean>> = {
  turn: ({ inputs, outputs }) => inputs.join() === 'input_features' && outputs.join() === 'logits',
  vad: ({ inputs }) => ['input', 'state', 'sr'].every((name) => inputs.includes(name)),
}

/** Resolves with what the model in an ONNX file detects; undefined for a model that does something else, and for a damaged file. */
export const detectorKindOf = async (path: string): Promise<DetectorKind | undefined> => {
  try {
    if ((await stat(path)).size > maxBytes) return undefined
    const model = readOnnxInterface(await readFile(path))
    return (['turn', 'vad'] as const).find((kind) => isOfKind[kind](model))
  } catch {
    return undefined
  }
}
