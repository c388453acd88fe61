import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isFolder } from '../model-folder.js'
import { type FoundFolder, readModelsFolder } from '../models-folder.js'

export interface ModelsScannerOptions {
  /** A folder with a folder for each model. It may not exist yet. */
  readonly modelsDir: string
  /** Called for each folder of the first scan, and for each later one. */
  onAdded(folder: FoundFolder): void
  /** Called for a folder that was removed. A folder that has changed is removed and added. */
  onRemoved(name: string): void
  /** Called when the models folder can no longer be read. Folders that were found before are kept. */
  onUnreadable(error: Error): void
}

/** By folder: names, sizes and times of its files. */
type Fingerprints = ReadonlyMap<string, string>

const isVisible = (name: string): boolean => !name.startsWith('.')

/** Files in deeper folders do not count, such as those of eSpeak NG's data. */
const fingerprintOf = async (folder: string): Promise<string> => {
  const names = (await readdir(folder)).filter(isVisible).sort()
  const describe = async (name: string): Promise<string> => {
    const status = await stat(join(folder, name)).catch(() => undefined)
    return status?.isFile() ? `${name} ${status.size} ${status.mtimeMs}` : name
  }
  return (await Promise.all(names.map(describe))).join('\n')
}

/** Empty when the models folder does not exist. Rejects when it cannot be read. */
const readFingerprints = async (modelsDir: string): Promise<Fingerprints> => {
  const names = await readdir(modelsDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const fingerprints = new Map<string, string>()
  for (const name of names.filter(isVisible)) {
    const path = join(modelsDir, name)
    if (!(await isFolder(path))) continue
    fingerprints.set(name, await fingerprintOf(path).catch(({ code }: NodeJS.ErrnoException) => `${code}`))
  }
  return fingerprints
}

interface KnownFolder {
  readonly fingerprint: string
  /** Its problems may depend on other folders, since two folders must not have similar names. */
  readonly problems: string
}

/**
 * Finds what has changed in a models folder since the last scan. A folder that has changed is read when two consecutive scans
 * find it the same: a copy in progress is not yet a model.
 */
export class ModelsScanner {
  readonly #options: ModelsScannerOptions
  readonly #known = new Map<string, KnownFolder>()
  #previous: Fingerprints | undefined
  #isReadable = true

  constructor(options: ModelsScannerOptions) {
    this.#options = options
  }

  /** Resolves to whether all folders are settled: if not, another scan is due soon. */
  async scan(): Promise<boolean> {
    const seen = await readFingerprints(this.#options.modelsDir).catch((error: Error) => {
      if (this.#isReadable) this.#options.onUnreadable(error)
    })
    this.#isReadable = seen !== undefined
    if (seen === undefined) return true
    const previous = this.#previous ?? seen
    this.#previous = seen

    const gone = [...this.#known.keys()].filter((name) => !seen.has(name))
    for (const name of gone) this.#remove(name)
    const changed = [...seen].filter(([name, fingerprint]) => this.#known.get(name)?.fingerprint !== fingerprint)
    const settled = new Map(changed.filter(([name, fingerprint]) => previous.get(name) === fingerprint))
    if (gone.length + settled.size > 0) await this.#read(seen, settled)
    return settled.size === changed.length
  }

  #remove(name: string): void {
    this.#known.delete(name)
    this.#options.onRemoved(name)
  }

  async #read(seen: Fingerprints, settled: Fingerprints): Promise<void> {
    const { modelsDir, onAdded } = this.#options
    // The models folder may have been removed meanwhile, which the next scan notices.
    const folders = await readModelsFolder(modelsDir).catch(() => [])
    for (const folder of folders) {
      const { name, reading } = folder
      const known = this.#known.get(name)
      const fingerprint = settled.get(name) ?? known?.fingerprint
      if (fingerprint === undefined || fingerprint !== seen.get(name)) continue
      const problems = 'problems' in reading ? reading.problems.join('; ') : ''
      if (known?.fingerprint === fingerprint && known.problems === problems) continue
      if (known !== undefined) this.#remove(name)
      this.#known.set(name, { fingerprint, problems })
      onAdded(folder)
    }
  }
}
