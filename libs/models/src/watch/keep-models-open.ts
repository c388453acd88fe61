import { aborted, createSemaphore } from '@parlance/async'
import type { DetectorModel } from '../detector-model.js'
import type { FoundFolder } from '../models-folder.js'
import type { RecognitionModel } from '../recognition/recognition-model.js'
import type { SpeechModel } from '../speech-model.js'
import { type ModelsWatchOptions, watchModels } from './watch-models.js'

interface ModelOf {
  readonly speech: SpeechModel
  readonly recognition: RecognitionModel
  readonly detection: DetectorModel
}

/** A model of a purpose, and its folder. */
export interface InstalledModelFolder<Purpose extends FoundFolder['purpose']> {
  readonly model: ModelOf[Purpose]
  readonly path: string
}

/** Which models are kept open, and how one is opened. */
export interface OpenModelsOptions<Purpose extends FoundFolder['purpose']>
  extends Pick<ModelsWatchOptions, 'modelsDir' | 'onUnreadable' | 'rescanMs'> {
  /** Models of other purposes are ignored. */
  readonly purpose: Purpose
  /**
   * Opens a model. Resolves to what is called when the folder has gone, which must not reject. Rejects when the model cannot be
   * opened, or when the signal is aborted, and leaves nothing open then.
   */
  open(found: InstalledModelFolder<Purpose>, signal: AbortSignal): Promise<() => Promise<void>>
  /** A folder is invalid, or its model could not be opened. It is tried again when the folder has changed. */
  onRefused(folder: string, reason: unknown): void
}

/** The models of a folder that are kept open. */
export interface OpenModels {
  /** Resolves when each model that was there at the start is open or refused. */
  readonly started: Promise<void>
  /** Opens no more models, closes those that are open, and resolves when that is done. */
  stop(): Promise<void>
}

/** From the arrival of a folder until its model is closed. */
interface Life {
  readonly end: AbortController
  readonly opened: Promise<void>
  readonly ended: Promise<void>
}

/**
 * Keeps each model of a models folder open for as long as its folder is there. One model is opened at a time, since two at
 * once would take twice as long. A folder that has changed is opened again when the model before is closed.
 */
export const keepModelsOpen = <Purpose extends FoundFolder['purpose']>({
  purpose,
  open,
  onRefused,
  ...watchOptions
}: OpenModelsOptions<Purpose>): OpenModels => {
  const lives = new Map<string, Life>()
  const permits = createSemaphore(1)

  const openInTurn = async (found: InstalledModelFolder<Purpose>, before: Promise<void>, signal: AbortSignal) => {
    await before
    const release = await permits.acquire(signal)
    return open(found, signal).finally(release)
  }

  const begin = (name: string, found: InstalledModelFolder<Purpose>): void => {
    const end = new AbortController()
    const opening = openInTurn(found, lives.get(name)?.ended ?? Promise.resolve(), end.signal)
    const opened = opening.then(
      () => undefined,
      (reason: unknown) => {
        if (!end.signal.aborted) onRefused(name, reason)
      },
    )
    const live = async () => {
      const close = await opening.catch(() => async () => {})
      await aborted(end.signal)
      await close()
      if (lives.get(name) === life) lives.delete(name)
    }
    const life: Life = { end, opened, ended: live() }
    lives.set(name, life)
  }

  const endAll = () => {
    for (const { end } of lives.values()) end.abort()
  }

  const watch = watchModels({
    ...watchOptions,
    onAdded(folder) {
      if (folder.purpose !== purpose) return
      const { name, path, reading } = folder
      if ('problems' in reading) return onRefused(name, new Error(reading.problems.join('; ')))
      begin(name, { model: reading.model as ModelOf[Purpose], path })
    },
    onRemoved: (name) => lives.get(name)?.end.abort(),
  })

  return {
    started: watch.started.then(async () => {
      await Promise.all([...lives.values()].map(({ opened }) => opened))
    }),
    async stop() {
      const unwatched = watch.stop()
      endAll()
      await unwatched
      endAll()
      await Promise.all([...lives.values()].map(({ ended }) => ended))
    },
  }
}
