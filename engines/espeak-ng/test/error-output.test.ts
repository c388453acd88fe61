import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describeWithPrograms } from '@parlance/testing'

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))

describeWithPrograms(['espeak-ng'], 'the system’s library', () => {
  test('starts without a warning where the home directory cannot be written', async () => {
    // No folder can be made in a device, by root neither.
    const env = { PATH: process.env.PATH, HOME: '/dev/null' }
    const child = spawn(process.execPath, [program, '--implementation', 'native'], { env })
    let errors = ''
    child.stderr.on('data', (text) => {
      errors += text
    })
    // The first frame says that it is ready, and the library is loaded by then.
    await once(child.stdout, 'data')
    child.stdin.end()
    await once(child, 'close')
    expect(errors).toBe('')
  })
})
