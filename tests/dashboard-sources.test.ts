import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { root, testedCommands } from './documents.js'

test('the command of the documentation serves the pages of the dashboard from their sources', async () => {
  const [command] = testedCommands('web/dashboard/README.md')
  const server = spawn('bash', ['-c', command!], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // npx and the server end together.
    detached: true,
  })
  const ended = once(server, 'exit')
  try {
    let url: string | undefined
    for await (const line of createInterface(server.stdout)) {
      url = /Local: +(\S+)/.exec(line)?.[1]
      if (url !== undefined) break
    }
    expect(url).toBeDefined()
    const page = await fetch(url!)
    expect(await page.text()).toContain('src="./src/main.tsx"')
    const script = await fetch(new URL('src/main.tsx', url))
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript'])
  } finally {
    if (server.exitCode === null) process.kill(-server.pid!)
    await ended
  }
})
