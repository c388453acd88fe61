/** For services that run apart: makes a workspace with a key, over the bus, and prints both. The key is shown nowhere else. */
import { createClient } from '@parlance/bus'
import { authContract } from '@parlance/contracts'
import { run, type Service } from '@parlance/runtime'
import { z } from 'zod'

const env = z.object({
  WORKSPACE_NAME: z.string().max(200).default('Default').describe('a name of at most 200 characters'),
})

const seed: Service<z.infer<typeof env>> = {
  name: 'seed',
  needs: ['bus'],
  env,
  async start({ bus }, { WORKSPACE_NAME }) {
    const auth = createClient(bus, authContract)
    const workspace = await auth.createWorkspace({ name: WORKSPACE_NAME, capabilities: ['tts', 'agents'] })
    const { key } = await auth.createKey({ workspace_id: workspace.id, label: 'First key' })
    console.log(`workspace_id  ${workspace.id}\napi_key       ${key}   (shown this once)`)
    return { ready: () => true, stop: () => Promise.resolve() }
  },
}

const running = await run([seed], { environment: { ...process.env, LOG_LEVEL: 'warn' } })
await running.stop()
