/**
 * The processes that something started: those that descend from it, and those that carry its mark, a variable which
 * they inherited. Neither alone finds all: an orphan descends from no known process, and Postgres writes its title over its
 * environment.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const goneWithinMs = 10_000

const read = (pid, file) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '' // It has ended, or belongs to another user.
  }
}

const carries = (pid, mark) => read(pid, 'environ').split('\0').includes(mark)

const processOf = (pid) => {
  const stat = read(pid, 'stat')
  const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const title = read(pid, 'cmdline').replaceAll('\0', ' ').trim()
  // Pids are used again; a pid with its start time is not.
  return { pid, state, parent: Number(parent), identity: `${pid} ${rest[17]}`, title }
}

const running = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processOf(Number(name)))
    .filter(({ state }) => state !== '' && state !== 'Z')

export const startedBy = (pid, mark) => {
  const all = running()
  const found = new Set(all.filter((one) => one.pid === pid || carries(one.pid, mark)))
  for (let sizeBefore = -1; sizeBefore !== found.size; ) {
    sizeBefore = found.size
    const parents = new Set([...found].map((one) => one.pid))
    for (const one of all) if (parents.has(one.parent)) found.add(one)
  }
  return [...found]
}

/** Those of `started` that still run, and whatever else carries the mark. */
export const stillRunning = (started, mark) => {
  const known = new Set(started.map(({ identity }) => identity))
  return running().filter(({ pid, identity }) => known.has(identity) || carries(pid, mark))
}

/** The same, after the processes have had a moment to end. */
export const leftOf = async (started, mark) => {
  for (let waitedMs = 0; waitedMs < goneWithinMs; waitedMs += 50) {
    if (stillRunning(started, mark).length === 0) return []
    await delay(50)
  }
  return stillRunning(started, mark)
}
