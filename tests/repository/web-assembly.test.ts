import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const assemble = fileURLToPath(new URL('../../scripts/assemble.mjs', import.meta.url))

test('every WebAssembly module in the sources is what the text beside it assembles to', () => {
  const report = execFileSync(process.execPath, [assemble, '--check'], { encoding: 'utf8' })
  expect(report.trim().split('\n').sort()).toEqual([
    'libs/audio/src/encoding/polyphase-kernel.ts is up to date.',
    'services/sessions/src/turn-detector/voice-activity/matrix-kernel.ts is up to date.',
  ])
})
