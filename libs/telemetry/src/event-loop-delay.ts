import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'

/** Each sample wakes an idle process, so there are only five a second. */
const pauseMs = 200

/** The histogram records the time between two samples in ns, which equals the pause where the loop is never late. */
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
 * The delay of the event loop since the last scrape, in seconds. It replaces the metrics of prom-client under the same names,
 * because those count the pause between two samples as delay.
 */
export const collectEventLoopDelay = (registry: Registry): void => {
  const recorded = monitorEventLoopDelay({ resolution: pauseMs })
  recorded.enable()
  const take = () => {
    // Before the next sample the figures stay the same.
    if (recorded.count === 0) return
    for (const [gauge, of] of gauges) gauge.set(of(recorded))
    recorded.reset()
  }
  const gauges = Object.entries(figures).map(([figure, of], index) => {
    const name = `nodejs_eventloop_lag_${figure}_seconds`
    registry.removeSingleMetric(name)
    // The registry reads them in this order, and the first sets them all.
    const collect = index === 0 ? { collect: take } : {}
    return [
      new Gauge({ name, help: `Delay of the event loop: ${figure}`, registers: [registry], ...collect }),
      of,
    ] as const
  })
}
