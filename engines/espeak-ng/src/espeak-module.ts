/// <reference path="./espeak-ng-emscripten.d.ts" />
import { openSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import loadModule, { type EspeakModule, type EspeakModuleOptions } from '@echogarden/espeak-ng-emscripten'

/**
 * Loads eSpeak NG as WebAssembly without its 24 MB of language data. The data is declared as untouched memory, which takes no
 * pages, and the part of a file is read when the engine opens that file for the first time.
 */
export const loadEspeakModule = async (): Promise<EspeakModule> => {
  const data = openSync(fileURLToPath(import.meta.resolve('@echogarden/espeak-ng-emscripten/espeak-ng.data')), 'r')
  const unread = new Map<string, Uint8Array>()

  const options: EspeakModuleOptions = {
    getPreloadedPackage: (_name, sizeBytes) => new ArrayBuffer(sizeBytes),
    preInit: [
      () => {
        const createDataFile = options.FS_createDataFile!
        options.FS_createDataFile = (path, name, content, ...flags) => {
          unread.set(path, content)
          createDataFile(path, name, content, ...flags)
        }
      },
    ],
  }
  const module = await loadModule(options)

  const open = module.FS.open
  module.FS.open = (path, ...rest) => {
    const content = unread.get(path)
    if (content !== undefined) {
      unread.delete(path)
      readSync(data, content, 0, content.length, content.byteOffset)
    }
    return open(path, ...rest)
  }
  return module
}
