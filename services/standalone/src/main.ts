import { run, StartupError } from '@parlance/runtime'
import { openStandaloneEnvironment } from '@parlance/runtime/installation'
import { agents } from '@parlance/service-agents'
import { auth } from '@parlance/service-auth'
import { catalog } from '@parlance/service-catalog'
import { endUsers } from '@parlance/service-end-users'
import { gateway } from '@parlance/service-gateway'
import { sessions } from '@parlance/service-sessions'
import { tokens } from '@parlance/service-tokens'
import { tts } from '@parlance/service-tts'
import { createDevelopment } from './development.js'
import { createOperator } from './operator/operator.js'

const refuse = (error: unknown): never => {
  if (!(error instanceof StartupError)) throw error
  for (const line of error.lines) console.error(line)
  process.exit(1)
}

const { environment, dataFolder, url } = await openStandaloneEnvironment(process.env).catch(refuse)
const ofThisMachine = [createOperator(dataFolder), createDevelopment({ dataFolder, url })]
await run([auth, agents, tokens, catalog, tts, endUsers, sessions, gateway, ...ofThisMachine], {
  // What the machine can speak with is offered without any configuration.
  environment: { TTS_INSTALLED_ENGINES: 'true', ...environment },
  command: 'npm start',
})
