import { openServerHealth, type ServerHealth } from '../../src/remote/server-health.js'

/** A server that answers the probes as given, then always; `asked` resolves after all of them. */
const given = async (answers: readonly boolean[], failuresUntilUnhealthy = 3) => {
  const changes: boolean[] = []
  let questions = 0
  let finish = () => {}
  const asked = new Promise<void>((resolve) => {
    finish = resolve
  })
  const health: ServerHealth = await openServerHealth({
    failuresUntilUnhealthy,
    probeIntervalMs: 1,
    firstRetryMs: 1,
    maxRetryMs: 2,
    async probe() {
      const answer = answers[questions++] ?? true
      if (questions > answers.length) finish()
      if (!answer) throw new Error('not well')
    },
    onChange: (healthy) => changes.push(healthy),
  })
  return { health, changes, asked }
}

test('a server that does not answer now and then, but never often in a row, stays healthy', async () => {
  const { health, changes, asked } = await given([true, false, false, true, false, false, true, false, true])
  await asked
  health.close()
  expect(changes).toEqual([true])
})

test('a server is unhealthy after consecutive failures, until it answers', async () => {
  const { health, changes, asked } = await given([true, false, false, false, false])
  await asked
  health.close()
  expect(changes).toEqual([true, false])
})

test('failures in a row make it unhealthy, a success in between does not', async () => {
  const { health, changes } = await given([true])
  for (let i = 0; i < 2; i++) health.failed()
  health.succeeded()
  for (let i = 0; i < 2; i++) health.failed()
  expect(changes).toEqual([true])
  health.failed()
  health.failed()
  health.close()
  expect(changes).toEqual([true, false])
})

test('successful probes do not make up for failed speech', async () => {
  const { health, changes, asked } = await given([true, true, true])
  health.failed()
  health.failed()
  await asked
  health.failed()
  health.close()
  expect(changes).toEqual([true, false])
})
