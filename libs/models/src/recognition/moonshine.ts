import { open } from 'node:fs/promises'
import { checkModelFile, ModelFileError, type Problems } from '../model-file.js'
import type { FolderContent } from '../model-files.js'
import { readOnnxMetadata } from '../onnx/onnx-metadata.js'
import { findPart, type ModelPart } from './recognition-files.js'
import { type ModelData, type MoonshineFiles, qualityOf } from './recognition-model.js'

/** The identifier of ONNX Runtime's own format, a FlatBuffer, which follows the four bytes of an offset. */
const ortIdentifier = { start: 4, text: 'ORTM' }

/** Rejects with `ModelFileError` unless the file is an ONNX model, or one in ONNX Runtime's format where it is named so. */
const checkModel = async (path: string): Promise<void> => {
  if (!path.endsWith('.ort')) return void (await readOnnxMetadata(path))
  await checkModelFile(path)
  await using file = await open(path)
  const { start, text } = ortIdentifier
  const { buffer, bytesRead } = await file.read(Buffer.alloc(text.length), 0, text.length, start)
  if (buffer.toString('latin1', 0, bytesRead) !== text) throw new ModelFileError(path, 'is not a model of ONNX Runtime')
}

/** Reads a model of Moonshine, which has four parts or, where its decoders are merged, two. */
export const readMoonshine = async (
  content: FolderContent,
  isMerged: boolean,
  { attempt }: Problems,
): Promise<ModelData | undefined> => {
  const read = async (part: ModelPart) => {
    const path = await attempt(() => findPart(content, part))
    // The value is undefined where the check failed.
    return path && (await attempt(() => checkModel(path).then(() => path)))
  }
  const readMerged = async (): Promise<MoonshineFiles | undefined> => {
    const encoder = await read('modelEncoder')
    const mergedDecoder = await read('mergedDecoder')
    return encoder && mergedDecoder ? { encoder, mergedDecoder } : undefined
  }
  const readDivided = async (): Promise<MoonshineFiles | undefined> => {
    const preprocessor = await read('preprocessor')
    const encoder = await read('rawEncoder')
    const uncachedDecoder = await read('uncachedDecoder')
    const cachedDecoder = await read('cachedDecoder')
    return preprocessor && encoder && uncachedDecoder && cachedDecoder
      ? { preprocessor, encoder, uncachedDecoder, cachedDecoder }
      : undefined
  }
  const parts = await (isMerged ? readMerged() : readDivided())
  if (parts === undefined) return undefined
  return {
    files: { kind: 'moonshine', parts },
    languages: [],
    quality: qualityOf('moonshine', {}),
    hasEncodedTokens: isMerged,
    // The model does not state how many tokens it has.
    checkTokens: () => undefined,
  }
}
