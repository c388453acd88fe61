/**
 * The texts that end engine processes, and the workspaces that send them.
 *
 * - A text that crashed a process of an engine is refused for some time. A text during which a process was lost for another
 *   reason is refused after the second time.
 * - A workspace whose texts crash processes may start no further speech for a pause that doubles with each crash. The first
 *   causes no pause, and all expire after some time without another.
 * - Only hashes are stored, in a bounded number.
 */
import { createHash } from 'node:crypto'
import { ServiceError } from '@parlance/contracts'
import { LRUCache } from 'lru-cache'
import { createSightings } from './cache/sightings.js'
import { FatalTextError, fatalTextDetail, ProcessLostError } from './engine/process-end.js'

/** A text that ended a process, as workers report it to each other. */
export interface FatalText {
  readonly engine: string
  readonly workspaceId: string
  readonly textHash: string
}

export interface FatalTexts {
  /** Throws `rate_limited` while the workspace may not begin a speech. */
  checkWorkspace(workspaceId: string): void
  /** Throws `invalid_request` for a text that ended a process of the engine. */
  checkText(engine: string, text: string): void
  /** Looks at why an utterance failed, and remembers its text where it ended a process. */
  onFailure(error: unknown, spoken: { engine: string; workspaceId: string; text: string }): void
  /** Remembers what another worker reports. */
  learn(fatal: FatalText): void
}

export interface FatalTextsOptions {
  /** Called with each text that this worker learned of by itself. */
  readonly onFatalText?: (fatal: FatalText) => void
  /** In ms. */
  readonly now?: () => number
}

const rememberedMs = 10 * 60_000
const maxTexts = 4096
const maxWorkspaces = 4096
const firstPauseMs = 250
const maxPauseMs = 60_000

/** The pause of a workspace whose texts have crashed this number of processes. */
const pauseMs = (ended: number): number => (ended < 2 ? 0 : Math.min(firstPauseMs * 2 ** (ended - 2), maxPauseMs))

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

export const createFatalTexts = ({
  onFatalText,
  now = () => performance.now(),
}: FatalTextsOptions = {}): FatalTexts => {
  const expiry = { ttl: rememberedMs, ttlResolution: 0, perf: { now } }
  const texts = new LRUCache<string, true>({ max: maxTexts, ...expiry })
  const workspaces = new LRUCache<string, { ended: number; pausedUntilMs: number }>({ max: maxWorkspaces, ...expiry })
  const suspects = createSightings(maxTexts)
  const keyOf = (engine: string, textHash: string) => `${engine} ${textHash}`

  const learn = ({ engine, workspaceId, textHash }: FatalText) => {
    texts.set(keyOf(engine, textHash), true)
    const ended = (workspaces.get(workspaceId)?.ended ?? 0) + 1
    workspaces.set(workspaceId, { ended, pausedUntilMs: now() + pauseMs(ended) })
  }

  return {
    checkWorkspace(workspaceId) {
      const pauseLeftMs = (workspaces.get(workspaceId)?.pausedUntilMs ?? 0) - now()
      if (pauseLeftMs <= 0) return
      const retryAfterSeconds = Math.ceil(pauseLeftMs / 1000)
      const detail = 'Texts of this workspace made the speech engine fail. Wait as long as retry-after says.'
      throw new ServiceError('rate_limited', detail, { retryAfterSeconds })
    },
    checkText(engine, text) {
      if (texts.size === 0) return
      if (texts.get(keyOf(engine, hashOf(text)))) throw new ServiceError('invalid_request', fatalTextDetail)
    },
    onFailure(error, { engine, workspaceId, text }) {
      if (!(error instanceof FatalTextError || error instanceof ProcessLostError)) return
      const fatal = { engine, workspaceId, textHash: hashOf(text) }
      if (error instanceof ProcessLostError && !suspects.again(keyOf(engine, fatal.textHash))) return
      learn(fatal)
      onFatalText?.(fatal)
    },
    learn,
  }
}
