import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('../scripts/loudness.mjs', import.meta.url))

interface Result {
  readonly stdout: string
  readonly stderr?: string
}

test('every voice of the engines that need no model begins within 20 ms, has -20 LUFS within 1 LU, and is not clipped', async () => {
  // It ends with an error code where a voice is wrong.
  const { stdout, stderr }: Result = await promisify(execFile)(process.execPath, [program]).catch((error) => error)
  const voices = stdout.trimEnd().split('\n').slice(2)
  expect(voices.filter((line) => line.endsWith('WRONG'))).toEqual([])
  for (const engine of ['flite', 'espeak-ng']) {
    expect(voices.filter((line) => line.startsWith(`| ${engine} |`)).length).toBeGreaterThan(3)
  }
  expect(stderr).toBe('')
}, 300_000)
