import { setPriority } from 'node:os'

/** Lowers the scheduling priority of a process to `niceness`, from 0 (normal) to 19 (lowest), where that is possible. */
export const lowerPriority = (pid: number | undefined, niceness: number): void => {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // The process has ended already, or the system does not allow it. The process works at any priority.
  }
}
