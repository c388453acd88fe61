import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

const linesOf = (stream) => createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })

/** Starts `kubectl proxy`. Resolves to the address of the API server behind it. */
const startProxy = async (child) => {
  for await (const line of linesOf(child.stdout)) {
    const [, address] = / on (127\S+)/.exec(line) ?? []
    if (address !== undefined) return `http://${address}`
  }
  throw new Error('kubectl proxy has ended')
}

/**
 * Writes the logs of a release's pods to a file, each line after the name of its pod: also those of short-lived pods,
 * whose logs are removed with them. Resolves with a function that ends it.
 */
export const followLogs = async ({ namespace }, release, file) => {
  const output = createWriteStream(file)
  const proxy = spawn('kubectl', ['proxy', '--port=0'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const pods = `${await startProxy(proxy)}/api/v1/namespaces/${namespace}/pods`
  const abort = new AbortController()
  const read = async (address, onLine) => {
    const { body } = await fetch(address, { signal: abort.signal })
    for await (const line of linesOf(Readable.fromWeb(body))) onLine(line)
  }
  // The log of a restarted container begins again.
  const followed = new Set()
  const follow = async ({ metadata: { name }, status: { phase, containerStatuses = [] } }) => {
    const run = `${name} ${containerStatuses[0]?.restartCount ?? 0}`
    if (phase !== 'Running' || followed.has(run)) return
    followed.add(run)
    await read(`${pods}/${name}/log?follow=true&timestamps=true`, (line) => output.write(`${name} ${line}\n`))
  }
  const watch = async () => {
    const query = new URLSearchParams({ watch: 'true', labelSelector: `app.kubernetes.io/instance=${release}` })
    while (!abort.signal.aborted) {
      await read(`${pods}?${query}`, (line) => {
        const { object } = JSON.parse(line)
        if (object.kind === 'Pod') follow(object).catch(() => {})
      }).catch(() => {})
    }
  }
  void watch()
  return () => {
    abort.abort()
    proxy.kill()
    output.end()
  }
}
