import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startStandalone } from '@parlance/testing'
import { createApi } from './api.js'
import { outcomesOf, speakAtOnce, streamAtOnce } from './bursts.js'

test('right after the first start twenty texts at once are spoken, and thirty sockets at once are served', async () => {
  const fresh = await mkdtemp(join(tmpdir(), 'parlance-fresh-'))
  await chmod(fresh, 0o755)
  const running = startStandalone(fresh, await freePort())
  try {
    const { url, headers } = await running.serving
    const api = createApi(url, headers.authorization)
    const { id } = await api.voice()
    expect(await outcomesOf(() => speakAtOnce(api, id, 20), 200)).toEqual(Array(20).fill(200))
    expect(await outcomesOf(() => streamAtOnce(api, url, id, 30), 'done')).toEqual(Array(30).fill('done'))
  } finally {
    await running.stop()
    await rm(fresh, { recursive: true, force: true })
  }
})
