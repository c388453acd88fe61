import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const generate = fileURLToPath(new URL('../../scripts/generate/main.mjs', import.meta.url))

test('every committed file that is derived from the sources is what `npm run generate` writes', async () => {
  const complaint = await new Promise((resolve) =>
    execFile(process.execPath, [generate, '--check'], (error, _stdout, stderr) => resolve(error ? stderr : '')),
  )
  expect(complaint).toBe('')
}, 300_000)
