import { totalmem } from 'node:os'

/** Returns how much memory this machine has, or the container that runs this process, in bytes. */
export const machineMemoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem())
