/// <reference path="./sherpa-onnx-node.d.ts" />
import { readFileSync } from 'node:fs'
import { EngineUnavailableError } from '@parlance/engine/host'

/** Rejects with `EngineUnavailableError` where the library does not run on this machine. */
export const loadSherpaOnnx = async () => {
  const { default: sherpaOnnx } = await import('sherpa-onnx-node').catch((cause: unknown) => {
    throw new EngineUnavailableError('sherpa-onnx does not run on this system and processor', { cause })
  })
  return sherpaOnnx
}

export const sherpaVersion = (): string => {
  const manifest = new URL(import.meta.resolve('sherpa-onnx-node/package.json'))
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
