import { cpuSeconds } from './child-process.mjs'
import { processTree } from './process-memory.mjs'
import { sum } from './statistics.mjs'

/** CPU seconds so far of all that an installation runs on but Postgres, by name; all its engines are one. */
export const installationCpu = (servers, product) => {
  const used = (pids) => sum(pids.map(cpuSeconds))
  const parts = { NATS: used([servers.nats.pid]), Redis: used([servers.redis.pid]), engines: 0 }
  for (const { name, pid } of Object.values(product.processes)) {
    const [own, ...children] = processTree(pid)
    parts[name] = used([own])
    parts.engines += used(children)
  }
  return parts
}
