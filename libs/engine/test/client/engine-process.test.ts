import { ChildProcess } from 'node:child_process'
import { createLogger } from '@parlance/telemetry'
import { vi } from 'vitest'
import { z } from 'zod'
import { openEngineProcess } from '../../src/client/engine-process.js'

test('an aborted start of a missing program kills nothing: Node would kill the group of this process', async () => {
  const kill = vi.spyOn(ChildProcess.prototype, 'kill').mockReturnValue(true)
  const opening = openEngineProcess(
    {
      command: ['/nowhere/engine'],
      niceness: 0,
      logger: createLogger({ name: 'engine', level: 'silent' }),
      startTimeoutMs: 1_000,
      helloSchema: z.object({ engine: z.string() }),
      readErrors: () => ({ started() {}, reason: () => '' }),
    },
    AbortSignal.abort(),
  )
  await expect(opening).rejects.toMatchObject({ code: 'ENOENT' })
  expect(kill).not.toHaveBeenCalled()
})
