import { setMaxListeners } from 'node:events'
import type { ServiceError } from '@parlance/contracts'
import { type AdmittedRequest, Scheduler, type SchedulerOptions } from '../src/scheduler.js'
import type { Waiting } from '../src/waiting-time.js'

export const { signal } = new AbortController()
setMaxListeners(0, signal)

/** By default, requests are texts in one request, and wait for as long as such a text may. */
export const createScheduler = (options: SchedulerOptions) => {
  const scheduler = new Scheduler(options)
  const admit = (workspace: string, { purpose = 'one_shot', deadlineMs = 10_000 }: Partial<Waiting> = {}) =>
    scheduler.admit(workspace, { purpose, deadlineMs })
  return {
    admit,
    drain: () => scheduler.drain(),
    hasRoom: () => scheduler.hasRoom(),
    running: () => scheduler.running(),
    waiting: () => scheduler.waiting(),
  }
}

/** Resolves after the promises of granted engines have resolved. */
export const settled = () => new Promise(setImmediate)

export const codeOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    return (error as ServiceError).code
  }
  return 'ok'
}

/** Segments by name, started in `started` and ended by name. */
export const createWork = () => {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    ask(request: AdmittedRequest, name: string, given = new AbortController().signal): Promise<void> {
      const asked = request.engine(given).then((end) => {
        started.push(name)
        ends.set(name, end)
      })
      // Some wait until after their test.
      asked.catch(() => undefined)
      return asked
    },
    async end(name: string) {
      ends.get(name)!()
      await settled()
    },
  }
}

/** Requests by name, each of one segment that takes so long, on a clock of its own; by default texts in one request. */
export const createLoad = ({ engines = 1, segmentMs = 100, queueLimit = 1_000 } = {}) => {
  let nowMs = 0
  const scheduler = createScheduler({ engines, queueLimit, now: () => nowMs })
  const started: string[] = []
  const running: { endsAtMs: number; end: () => void }[] = []
  const refusals: ServiceError[] = []

  const come = (name: string, workspace = 'a', waiting: Partial<Waiting> = {}): boolean => {
    let request: AdmittedRequest
    try {
      request = scheduler.admit(workspace, waiting)
    } catch (error) {
      refusals.push(error as ServiceError)
      return false
    }
    const begin = (release: () => void) => {
      started.push(name)
      const end = () => {
        release()
        request.leave()
      }
      running.push({ endsAtMs: nowMs + segmentMs, end })
    }
    request.engine(signal).then(begin, request.leave)
    return true
  }
  /** Lets time pass, and ends what is over. */
  const pass = async (ms: number) => {
    await settled()
    const untilMs = nowMs + ms
    for (;;) {
      running.sort((one, other) => one.endsAtMs - other.endsAtMs)
      const first = running[0]
      if (first === undefined || first.endsAtMs > untilMs) break
      nowMs = first.endsAtMs
      running.shift()!.end()
      await settled()
    }
    nowMs = untilMs
  }
  /** Serves some segments, so that the scheduler measures how long one takes. */
  const learn = async () => {
    for (let n = 0; n < 5; n++) {
      come('learning')
      await pass(segmentMs)
    }
    // Long enough for what was served to count no more.
    await pass(10_000)
    started.length = 0
  }
  return { scheduler, started, refusals, come, pass, learn }
}
