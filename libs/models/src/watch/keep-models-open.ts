import { aborted, type Backoff, createSemaphore, retry } from '@parlance/async'
import type { DetectorModel } from '../detector-folder.js'
import { clearModelFailure, recordModelFailure } from '../model-records.js'
import type { FoundFolder } from '../models-folder.js'
import type { RecognitionModel } from '../recognition/recognition-kinds.js'
import type { SpeechModel } from '../speech-model.js'
import { type ModelsWatchOptions, shareModelsWatch } from './watch-models.js'

interface ModelOf {
  readonly speech: SpeechModel
  readonly recognition: RecognitionModel
  readonly detection: DetectorModel
}

/** A folder with a model of the given purpose. */
interface InstalledModelFolder<Purpose extends FoundFolder['purpose']> {
  readonly model: ModelOf[Purpose]
  readonly path: string
}

/** Which models are kept open, and how one is opened. */
export interface OpenModelsOptions<Purpose extends FoundFolder['purpose']>
  extends Pick<ModelsWatchOptions, 'modelsDir' | 'onUnreadable' | 'rescanMs'> {
  /** Models of other purposes are ignored. */
  readonly purpose: Purpose
  /**
   * Opens a model. Resolves with a function that closes it when the folder is removed, and that must not reject. Rejects
   * when the model cannot be opened or the signal is aborted; nothing is then left open.
   */
  open(found: InstalledModelFolder<Purpose>, signal: AbortSignal): Promise<() => Promise<void>>
  /**
   * A folder is invalid, and is read again when it has changed; or its model could not be opened, which is tried again later
   * and when the folder has changed. Further attempts that fail for the same reason are not reported.
   */
  onRefused(folder: string, reason: unknown): void
  /** The delays before the next attempt to open a model. Default: 5 s up to 5 minutes. */
  readonly backoff?: Backoff | undefined
}

/** Retries, because a cause such as too little memory may pass. */
const defaultBackoff: Backoff = { firstMs: 5_000, maxMs: 300_000 }

/** A folder, from its arrival until its model is closed. */
interface Life {
  readonly end: AbortController
  /** Resolves after the first attempt to open the model. */
  readonly tried: Promise<void>
  readonly ended: Promise<void>
}

const ignore = () => {}

/** Opens a model, and keeps the record of a failure in its folder. Rejects as `open` does. */
const openRecorded = async <Found extends { readonly path: string }, Result>(
  found: Found,
  { open, onFailure }: { open(found: Found, signal: AbortSignal): Promise<Result>; onFailure(reason: unknown): void },
  signal: AbortSignal,
): Promise<Result> => {
  try {
    const result = await open(found, signal)
    await clearModelFailure(found.path)
    return result
  } catch (error) {
    if (!signal.aborted) {
      onFailure(error)
      await recordModelFailure(found.path, error)
    }
    throw error
  }
}

/**
 * Keeps each model of a models folder open while its folder exists. One model is opened at a time, since two at once would
 * take twice as long. When a folder has changed, its model is closed and opened again. A model that cannot be opened is
 * tried again; until it opens, its folder has a record of the reason.
 */
export const keepModelsOpen = <Purpose extends FoundFolder['purpose']>({
  purpose,
  open,
  onRefused,
  backoff = defaultBackoff,
  ...watchOptions
}: OpenModelsOptions<Purpose>) => {
  const lives = new Map<string, Life>()
  const permits = createSemaphore(1)

  const begin = (name: string, found: InstalledModelFolder<Purpose>): void => {
    const end = new AbortController()
    const { signal } = end
    let reported: string | undefined
    const onFailure = (reason: unknown) => {
      if (String(reason) !== reported) onRefused(name, reason)
      reported = String(reason)
    }
    const openInTurn = async () => {
      const release = await permits.acquire(signal)
      return openRecorded(found, { open, onFailure }, signal).finally(release)
    }
    const before = lives.get(name)?.ended ?? Promise.resolve()
    const first = before.then(openInTurn)
    const opening = retry((attempt) => (attempt === 1 ? first : openInTurn()), { backoff, signal })
    const tried = first.then(ignore, ignore)
    const live = async () => {
      const close = await opening.catch(() => async () => {})
      await aborted(end.signal)
      await close()
      if (lives.get(name) === life) lives.delete(name)
    }
    const life: Life = { end, tried, ended: live() }
    lives.set(name, life)
  }

  const endAll = () => {
    for (const { end } of lives.values()) end.abort()
  }

  const watch = shareModelsWatch({
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
    /** Resolves when every model that existed at the start is open or refused. */
    started: watch.started.then(async () => {
      await Promise.all([...lives.values()].map(({ tried }) => tried))
    }),
    /** Opens no more models, closes those that are open, and resolves when that is done. */
    async stop(): Promise<void> {
      const unwatched = watch.stop()
      endAll()
      await unwatched
      endAll()
      await Promise.all([...lives.values()].map(({ ended }) => ended))
    },
  }
}

export type OpenModels = ReturnType<typeof keepModelsOpen>
