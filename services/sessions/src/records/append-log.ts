import type { Addition } from './session-progress.js'

/** Entries that have positions from 0, of which the last ones are not written yet. */
export interface AppendLog<Entry> {
  push(entry: Entry): void
  /** The entries that are not written, and the position of the first. Later entries do not change it. */
  snapshot(): Addition<Entry>
  /** The entries of the snapshot are written: later snapshots are without them. */
  written(snapshot: Addition<Entry>): void
}

export const createAppendLog = <Entry>(): AppendLog<Entry> => {
  const unwritten: Entry[] = []
  let firstPosition = 0
  return {
    push(entry) {
      unwritten.push(entry)
    },
    snapshot: () => ({ firstPosition, items: unwritten.slice() }),
    written({ items }) {
      unwritten.splice(0, items.length)
      firstPosition += items.length
    },
  }
}
