import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { loadOnnxRuntime } from '@parlance/engine/host'
import { nameGraphs } from '@parlance/models'

/** Writes ONNX copies into `folder` of those files that have ONNX Runtime's format. Returns the parts with their paths. */
const copyInto = async <Parts extends object>(parts: Parts, folder: string): Promise<Parts> => {
  const { convert } = await loadOnnxRuntime(import.meta.resolve('sherpa-onnx-node/package.json'))
  const copied = { ...parts }
  for (const [part, path] of Object.entries<string>(parts as Record<string, string>)) {
    if (!path.endsWith('.ort')) continue
    const copy = join(folder, `${basename(path, '.ort')}.onnx`)
    convert(path, copy)
    await writeFile(copy, nameGraphs(await readFile(copy)))
    Object.assign(copied, { [part]: copy })
  }
  return copied
}

/**
 * Calls `open` with the parts of a model, of which those in ONNX Runtime's format (`.ort`) are replaced by ONNX copies. They exist until
 * `open` returns. Where they cannot be made, `open` is called with the parts themselves.
 *
 * Moonshine's weights are bytes, from which the graph computes the numbers. ONNX Runtime computes them when it loads an ONNX file, but
 * for each token of a text when the file has its own format: 3 s of speech take 440 ms of a core with the copies, and 2,050 ms without.
 */
export const withOnnxCopies = async <Parts extends object, Result>(
  parts: Parts,
  open: (parts: Parts) => Result,
  temporary = tmpdir(),
): Promise<Result> => {
  const folder = await mkdtemp(join(temporary, 'parlance-onnx-')).catch(() => undefined)
  try {
    return open(folder === undefined ? parts : await copyInto(parts, folder).catch(() => parts))
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}
