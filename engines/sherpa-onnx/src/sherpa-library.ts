/// <reference path="./sherpa-onnx-node.d.ts" />
import { closeSync, openSync, readFileSync } from 'node:fs'
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

/**
 * Discards standard error from now on. The library reports words there that it cannot speak, and users' texts must not be
 * logged. A newly opened descriptor gets the lowest free number, which is 2.
 */
export const silenceErrorOutput = (): void => {
  if (process.platform === 'win32') return
  closeSync(2)
  openSync('/dev/null', 'w')
}
