/**
 * The metrics of a process, over a connection of its own. A process closes a connection that was idle for 5 s, also when a request
 * on it is on its way.
 */
export const readMetrics = async (metricsUrl: string): Promise<string> =>
  (await fetch(metricsUrl, { headers: { connection: 'close' } })).text()

/** The sum of a metric's series, 0 when it has none. The name may have all labels of one series. */
export const readMetric = async (metricsUrl: string, name: string): Promise<number> => {
  const values = (await readMetrics(metricsUrl)).matchAll(new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'gm'))
  return [...values].reduce((sum, [, value]) => sum + Number(value), 0)
}
