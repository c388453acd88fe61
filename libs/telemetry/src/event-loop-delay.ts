import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'

/** Each look at the event loop wakes a process that might sleep: five in a second tell enough. */
const pauseMs = 200

/** What is recorded is the time from one look to the next, in ns, which for a loop that is never late is the pause. */
const secondsLate = (ns: number): number => Math.max(0, ns / 1e9 - pauseMs / 1e3)

const figures: Readonly<Record<string, (recorded: IntervalHistogram) => number>> = {
  min: ({ min }) => secondsLate(min),
  max: ({ max }) => secondsLate(max),
  mean: ({ mean }) => secondsLate(mean),
  stddev: ({ stddev }) => stddev / 1e9,
  p50: (recorded) => secondsLate(recorded.percentile(50)),
  p90: (recorded) => secondsLate(recorded.percentile(90)),
  p99: (recorded) => secondsLate(recorded.percentile(99)),
}

/**
 * How late the event loop was since the last scrape, in seconds, in place of prom-client's own figures and under their
 * names: those count the pause between two looks as lateness.
 */
export const collectEventLoopDelay = (registry: Registry): void => {
  const recorded = monitorEventLoopDelay({ resolution: pauseMs })
  recorded.enable()
  const take = () => {
    // Who asks again before the next look is told the same.
    if (recorded.count === 0) return
    for (const [gauge, of] of gauges) gauge.set(of(recorded))
    recorded.reset()
  }
  const gauges = Object.entries(figures).map(([figure, of], index) => {
    const name = `nodejs_eventloop_lag_${figure}_seconds`
    registry.removeSingleMetric(name)
    // They are read in this order, and the first sets them all.
    const collect = index === 0 ? { collect: take } : {}
    return [
      new Gauge({ name, help: `How late the event loop was: ${figure}`, registers: [registry], ...collect }),
      of,
    ] as const
  })
}
