import { run } from '@parlance/runtime'
import { sessions } from './service.js'

await run([sessions])
