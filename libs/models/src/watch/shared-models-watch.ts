import { resolve } from 'node:path'
import type { FoundFolder } from '../models-folder.js'
import type { ModelsScannerOptions } from './models-scanner.js'
import { type ModelsWatch, type ModelsWatchOptions, watchModels } from './watch-models.js'

type Listener = Pick<ModelsScannerOptions, 'onAdded' | 'onRemoved' | 'onUnreadable'>

interface SharedWatch {
  readonly watch: ModelsWatch
  readonly listeners: Set<Listener>
  /** The current folders. */
  readonly folders: Map<string, FoundFolder>
}

/** By folder and interval. */
const watches = new Map<string, SharedWatch>()

const startWatch = (options: Pick<ModelsWatchOptions, 'modelsDir' | 'rescanMs'>): SharedWatch => {
  const listeners = new Set<Listener>()
  const folders = new Map<string, FoundFolder>()
  const watch = watchModels({
    ...options,
    onAdded(folder) {
      folders.set(folder.name, folder)
      for (const { onAdded } of listeners) onAdded(folder)
    },
    onRemoved(name) {
      folders.delete(name)
      for (const { onRemoved } of listeners) onRemoved(name)
    },
    onUnreadable(error) {
      for (const { onUnreadable } of listeners) onUnreadable(error)
    },
  })
  return { watch, listeners, folders }
}

/**
 * Watches a models folder as `watchModels` does. All parts of a process that watch the same folder share one watch, so that the
 * folder is scanned and its models are read once. A later part receives the current folders before this returns.
 */
export const shareModelsWatch = ({ modelsDir, rescanMs, ...listener }: ModelsWatchOptions): ModelsWatch => {
  const key = `${rescanMs} ${resolve(modelsDir)}`
  const shared = watches.get(key) ?? startWatch({ modelsDir, rescanMs })
  const { watch, listeners, folders } = shared
  watches.set(key, shared)
  listeners.add(listener)
  for (const folder of folders.values()) listener.onAdded(folder)
  return {
    started: watch.started,
    async stop() {
      listeners.delete(listener)
      if (listeners.size > 0 || watches.get(key) !== shared) return
      watches.delete(key)
      await watch.stop()
    },
  }
}
