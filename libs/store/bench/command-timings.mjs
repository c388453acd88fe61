/**
 * The cost of measuring a database command: ns of CPU for each, compared with the same command without measurement. The
 * command itself is a promise that has resolved.
 */
import { createMetrics, noTracing } from '@parlance/telemetry'
import { observeCommand } from '../dist/store-telemetry.js'

const rounds = 7
const commandsARound = 500_000

const command = { system: 'postgresql', namespace: 'agents', operation: 'SELECT' }
const run = () => Promise.resolve()
const wayOf = (telemetry) => () => observeCommand(telemetry, command, run)

const ways = {
  'not measured': async () => await run(),
  measured: wayOf({ metrics: createMetrics() }),
  'measured, tracing is off': wayOf({ metrics: createMetrics(), tracing: noTracing }),
  'measured, with exemplars': wayOf({ metrics: createMetrics({ exemplars: true }), tracing: noTracing }),
}

/** User and system time of this process, in ns for each command. */
const cpuOfRound = async (way) => {
  const before = process.cpuUsage()
  for (let left = commandsARound; left > 0; left--) await way()
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1000) / commandsARound
}

const figures = Object.fromEntries(Object.keys(ways).map((name) => [name, []]))
for (let round = 0; round <= rounds; round++) {
  for (const [name, way] of Object.entries(ways)) {
    const ns = await cpuOfRound(way)
    // The first run compiles the code.
    if (round > 0) figures[name].push(ns)
  }
}
for (const [name, all] of Object.entries(figures)) {
  const sorted = all.sort((a, b) => a - b)
  console.log(
    `${name.padEnd(26)} ${sorted[rounds >> 1].toFixed(0)} ns (${sorted[0].toFixed(0)} to ${sorted.at(-1).toFixed(0)})`,
  )
}
