/**
 * Watches the folders of a models folder. Notifications of the operating system cause a scan. A timer
 * causes scans as well, since network volumes send no notifications and the models folder may be created later.
 */
import { type FSWatcher, watch } from 'node:fs'
import { ModelsScanner, type ModelsScannerOptions } from './models-scanner.js'

export interface ModelsWatchOptions extends ModelsScannerOptions {
  /** The time between two scans without a notification, in ms. Default 2,000. */
  readonly rescanMs?: number | undefined
}

export interface ModelsWatch {
  /** Resolves when the folders that existed at the start have been added. */
  readonly started: Promise<void>
  /** Resolves when no more callbacks will be called. */
  stop(): Promise<void>
}

/** The time between the two scans that must find a changed folder the same. */
const settleMs = 300

/** Watches until it is stopped. */
export const watchModels = (options: ModelsWatchOptions): ModelsWatch => {
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
