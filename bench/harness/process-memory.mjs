import { readdirSync, readFileSync } from 'node:fs'

const read = (pid, file) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // The process has ended meanwhile.
    return ''
  }
}

const parentOf = (pid) => Number(/^PPid:\s+(\d+)/m.exec(read(pid, 'status'))?.[1] ?? 0)

/** A process and all that descend from it. */
export const processTree = (rootPid) => {
  const children = new Map()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const parent = parentOf(entry)
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  const below = (pid) => [pid, ...(children.get(pid) ?? []).flatMap(below)]
  return below(rootPid)
}

const megabytes = (text, field) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024

/**
 * One process's `{ pid, command, rssMb, highestMb, pssMb }`; `highestMb` is its largest RSS so far. Shared pages count whole in every process's RSS; PSS divides them among
 * the processes that share them, so only PSS may be added up without counting twice.
 */
export const memoryOf = (pid) => ({
  pid,
  command: read(pid, 'cmdline').replaceAll('\0', ' ').trim(),
  rssMb: megabytes(read(pid, 'status'), 'VmRSS'),
  highestMb: megabytes(read(pid, 'status'), 'VmHWM'),
  pssMb: megabytes(read(pid, 'smaps_rollup'), 'Pss'),
})
