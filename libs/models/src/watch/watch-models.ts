/**
 * Watches the folders of a models folder. Notifications of the operating system cause a scan. A timer
 * causes scans as well, since network volumes send no notifications and the models folder may be created later.
 */
import { type FSWatcher, watch } from 'node:fs'
import { resolve } from 'node:path'
import type { FoundFolder } from '../models-folder.js'
import { ModelsScanner, type ModelsScannerOptions } from './models-scanner.js'

export interface ModelsWatchOptions extends ModelsScannerOptions {
  /** The time between two scans without a notification, in ms. Default 2,000. */
  readonly rescanMs?: number | undefined
}

interface ModelsWatch {
  /** Resolves when the folders that existed at the start have been added. */
  readonly started: Promise<void>
  /** Resolves when no more callbacks will be called. */
  stop(): Promise<void>
}

/** The time between the two scans that must find a changed folder the same. */
const settleMs = 300

/** Watches until it is stopped. */
const watchModels = (options: ModelsWatchOptions): ModelsWatch => {
  const { modelsDir, rescanMs = 2000 } = options
  const scanner = new ModelsScanner(options)
  let watcher: FSWatcher | undefined
  let isStopped = false
  let isSettled = true
  /** Whether there was a notification since the last scan began. */
  let isNotified = false
  let endWait = () => {}

  const onNotification = () => {
    isNotified = true
    if (isSettled) endWait()
  }
  const unwatch = () => {
    watcher?.close()
    watcher = undefined
  }
  /** When the system cannot watch the folder, only the timer is used. */
  const watchFolder = () => {
    try {
      watcher ??= watch(modelsDir, { persistent: false }, onNotification).on('error', unwatch)
    } catch {
      unwatch()
    }
  }

  const scan = async (): Promise<void> => {
    isNotified = false
    watchFolder()
    isSettled = await scanner.scan()
  }
  const wait = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, isSettled ? rescanMs : settleMs).unref()
      endWait = () => {
        clearTimeout(timer)
        resolve()
      }
      if (isStopped || (isSettled && isNotified)) endWait()
    })
  const keepScanning = async (): Promise<void> => {
    await started
    while (!isStopped) {
      await wait()
      if (!isStopped) await scan()
    }
  }

  const started = scan()
  const scanning = keepScanning()
  return {
    started,
    async stop() {
      isStopped = true
      unwatch()
      endWait()
      await scanning
    },
  }
}

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
